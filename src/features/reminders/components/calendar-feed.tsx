import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Actions, Text } from '#ui/layout.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { calendarAppUrl } from '../model.ts'

/** Height in px of the placeholder, which equals that of the button shown if there is no feed. */
const CONTROL = 48

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The browser denies clipboard access; the user can copy the URL manually.
    return false
  }
}

/** Settings for the personal calendar feed, whose URL can be created, copied, renewed and revoked. */
export function CalendarFeed() {
  const { t } = useTranslation('reminders')
  const [question, setQuestion] = useState<'renew' | 'end' | null>(null)
  const { data: feed, change: changeFeed, error, reload } = useResource('getFeed', {})

  const change = async (send: () => Promise<{ url: string }>, done: string) => {
    setQuestion(null)
    try {
      const changed = await withProgress(send())
      changeFeed(() => changed)
      showSuccess(changed.url !== '' && (await copyText(changed.url)) ? t('feed.madeAndCopied') : done)
    } catch (failure) {
      showError(errorMessageOf(failure, t('noAnswer')))
    }
  }
  const url = feed?.url ?? ''
  const copy = async () => {
    if (await copyText(url)) showSuccess(t('feed.copied'))
    else showError(t('feed.copyFailed'))
  }
  if (feed === null) {
    return error ? (
      <ErrorState title={t('feed.failed')} text={errorMessageOf(error, t('noAnswer'))} onRetry={reload} />
    ) : (
      <Skeleton rows={1} height={CONTROL} />
    )
  }
  if (url === '') {
    return (
      <Button
        look="plain"
        className={styles({ align: 'start' })}
        onClick={() => change(api.createFeed, t('feed.made'))}
      >
        {t('feed.make')}
      </Button>
    )
  }
  return (
    <>
      <Text as="label" weight="bold" htmlFor="feed-address">
        {t('feed.address')}
      </Text>
      <input
        id="feed-address"
        className={styles({ base: 'input' })}
        readOnly
        value={url}
        onFocus={event => event.currentTarget.select()}
      />
      <Text tone="muted" flush>
        {t('feed.secret')}
      </Text>
      <Actions>
        <Button look="plain" onClick={copy}>
          {t('feed.copy')}
        </Button>
        <ButtonLink look="ghost" isOutside href={calendarAppUrl(url, navigator.userAgent)}>
          {t('feed.open')}
        </ButtonLink>
        <Button look="ghost" onClick={() => setQuestion('renew')}>
          {t('feed.renew')}
        </Button>
        <Button look="ghost" onClick={() => setQuestion('end')}>
          {t('feed.end')}
        </Button>
      </Actions>
      {question && (
        <ConfirmDialog
          title={t(`feed.${question}Question`)}
          text={t('feed.questionText')}
          confirmLabel={t(`feed.${question}`)}
          onConfirm={() =>
            question === 'renew' ? change(api.createFeed, t('feed.made')) : change(api.endFeed, t('feed.ended'))
          }
          onCancel={() => setQuestion(null)}
        />
      )}
    </>
  )
}

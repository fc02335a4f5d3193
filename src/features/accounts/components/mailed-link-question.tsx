import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import type { ApiCallOutcome } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { IconCircleCheck } from '#ui/icons.ts'
import { Actions, Card, Stack } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'

/**
 * Endpoints called when the user confirms (`yes`) or rejects (`no`) what a link sent by e-mail requests. `no: null`:
 * rejecting needs no request, so the button links to the start page.
 */
const ANSWERS = {
  activation: { yes: api.confirmAccount, no: api.undoChange },
  'new-email': { yes: api.confirmAccount, no: api.undoChange },
  undo: { yes: api.undoChange, no: null },
  merge: { yes: api.confirmAccount, no: api.undoChange },
} as const

/**
 * Confirmation page for a link sent by e-mail. Requires a tap, so that link scanners and prefetching cannot change
 * anything.
 */
export function MailedLinkQuestion() {
  const { token = '' } = useParams()
  const { t } = useTranslation('accounts')
  const isLoggedIn = useSession(state => state.phase === 'started')
  const [outcome, setOutcome] = useState<ApiCallOutcome | null>(null)
  const { data: link, error, reload } = useResource('describeLink', { body: { token } }, withProgress)
  const [problem, setProblem] = useState('')

  const answer = async (call: typeof api.undoChange) => {
    setProblem('')
    try {
      setOutcome(await withProgress(call({ body: { token } })))
      // Confirming a new e-mail address changes the session's user name; undoing a change ends the session.
      if (useSession.getState().phase === 'started') await useSession.getState().check()
    } catch (failure) {
      setProblem(errorMessageOf(failure, t('activate.noAnswer')))
    }
  }
  const purpose = link?.purpose || null
  const shown = outcome ?? (link && !purpose ? link : null)
  return (
    <Stack gap="l" width="narrow">
      <ScreenHeader title={t(purpose === 'undo' ? 'undo.title' : 'activate.title')} />
      {!link &&
        (error ? (
          <ErrorState
            title={t('activate.failed')}
            text={errorMessageOf(error, t('activate.noAnswer'))}
            onRetry={reload}
          />
        ) : (
          <Skeleton rows={1} height={64} />
        ))}
      {link && purpose && !outcome && (
        <>
          <p>
            {t(`activate.question.${purpose}`, {
              initials: link.initials,
              date: link.registeredAt && formatDate(link.registeredAt),
              time: link.registeredAt && formatTime(link.registeredAt),
            })}
          </p>
          {problem && (
            <Card as="p" role="alert" status="error" flush>
              {problem}
            </Card>
          )}
          <Actions>
            <Answer purpose={purpose} onAnswer={answer} />
          </Actions>
        </>
      )}
      {shown && (
        <>
          <p
            role="status"
            className={
              shown.status === 'Ok'
                ? styles({ base: 'card', status: 'success', flush: true })
                : styles({ base: 'card', status: 'error', flush: true })
            }
          >
            {shown.status === 'Ok' && <IconCircleCheck />}
            {shown.message}
          </p>
          <ButtonLink href={isLoggedIn ? '/home' : '/login'} look="primary">
            {t(isLoggedIn ? 'activate.home' : 'activate.login')}
          </ButtonLink>
        </>
      )}
    </Stack>
  )
}

type AnswerProps = {
  purpose: keyof typeof ANSWERS
  onAnswer: (call: typeof api.undoChange) => Promise<void>
}

function Answer({ purpose, onAnswer }: AnswerProps) {
  const { t } = useTranslation('accounts')
  const { yes, no } = ANSWERS[purpose]
  return (
    <>
      <Button look="primary" onClick={() => onAnswer(yes)}>
        {t(`activate.yes.${purpose}`)}
      </Button>
      {no ? (
        <Button look="ghost" onClick={() => onAnswer(no)}>
          {t(purpose === 'merge' ? 'activate.notMine' : 'activate.notMe')}
        </Button>
      ) : (
        <ButtonLink href="/home" look="ghost">
          {t('undo.itWasMe')}
        </ButtonLink>
      )}
    </>
  )
}

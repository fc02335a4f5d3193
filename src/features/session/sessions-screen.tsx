import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnSession } from '#contract/endpoints/session.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { focusHeading } from '#lib/focus.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Actions, Box, Card, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { PasskeyList } from './components/passkey-list.tsx'
import { useSession } from './store.ts'

export function SessionsScreen() {
  const { t } = useTranslation('session')
  const isStarted = useSession(state => state.phase === 'started')
  const { data: sessions, error, reload, change } = useResource('listSessions', isStarted ? {} : null, withProgress)
  const [isAsking, setIsAsking] = useState(false)

  const end = async (send: () => Promise<unknown>, isEnded: (session: OwnSession) => boolean, done: string) => {
    setIsAsking(false)
    try {
      await withProgress(send())
      change(before => before?.filter(session => !isEnded(session)) ?? null)
      showSuccess(done)
      // The button that was pressed is removed, so the keyboard focus moves to the heading.
      focusHeading()
    } catch (failure) {
      showError(errorMessageOf(failure, t('sessions.noAnswer')))
    }
    reload()
  }

  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <>
      <ScreenHeader title={t('sessions.title')} lead={t('sessions.lead')} />
      {!sessions &&
        (error ? (
          <ErrorState
            title={t('sessions.failed')}
            text={errorMessageOf(error, t('sessions.noAnswer'))}
            onRetry={reload}
          />
        ) : (
          <Skeleton rows={2} height={90} />
        ))}
      {sessions && (
        <>
          <Stack as="ul" width="narrow" mb="xl">
            {sessions.map(session => (
              <Entry
                key={session.id}
                session={session}
                onEnd={name =>
                  end(
                    () => api.endSession({ params: { id: session.id } }),
                    ({ id }) => id === session.id,
                    t('sessions.ended', { device: name }),
                  )
                }
              />
            ))}
          </Stack>
          {others.length === 0 && (
            <Text tone="muted" my="m">
              {t('sessions.none')}
            </Text>
          )}
          <Actions>
            {others.length > 0 && (
              <Button look="primary" onClick={() => setIsAsking(true)}>
                {t('sessions.others')}
              </Button>
            )}
            <ButtonLink href="/password-change" look="ghost">
              {t('sessions.password')}
            </ButtonLink>
          </Actions>
          <Suspense>
            <PasskeyList />
          </Suspense>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('sessions.question')}
          text={t('sessions.questionText')}
          confirmLabel={t('sessions.others')}
          onConfirm={() => end(api.endOtherSessions, ({ isCurrent }) => !isCurrent, t('sessions.othersEnded'))}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

function Entry({ session, onEnd }: { session: OwnSession; onEnd: (name: string) => Promise<void> }) {
  const { t } = useTranslation('session')
  const { device, startedAt, lastUsedAt, isKept, isCurrent } = session
  const name = device || t('sessions.unknown')
  const since = { date: formatDate(startedAt), time: formatTime(startedAt) }
  const isEnding = useRef(false)
  const end = async () => {
    // A second tap would report that the session does not exist.
    if (isEnding.current) return
    isEnding.current = true
    await onEnd(name)
    isEnding.current = false
  }
  return (
    <Card as="li" layout="row">
      <Box grow flush>
        <Text as="h2" variant="name">
          {name}
          {isCurrent && (
            <Text as="span" tone="muted">
              {' '}
              ({t('sessions.current')})
            </Text>
          )}
        </Text>
        <Text tone="muted" flush>
          {t('sessions.since', since)}
        </Text>
        <Text tone="muted" flush>
          {t('sessions.used', { date: formatDate(lastUsedAt), time: formatTime(lastUsedAt) })}
          {isKept && ` · ${t('sessions.kept')}`}
        </Text>
      </Box>
      {!isCurrent && (
        <Button look="ghost" aria-label={t('sessions.endOf', { device: name, ...since })} onClick={end}>
          {t('sessions.end')}
        </Button>
      )}
    </Card>
  )
}

import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { Button, ButtonLink } from '#components/button.tsx'
import { IconCircleCheck } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import type { Outcome } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useAnswer } from '#lib/use-answer.ts'
import { confirmAccount, describeLink, undoChange } from '../api.ts'

/** Actions of a mailed link: accept and reject; without an endpoint, `no` leads to the start page. */
const ANSWERS = {
  activation: { yes: confirmAccount, no: undoChange },
  'new-email': { yes: confirmAccount, no: undoChange },
  undo: { yes: undoChange, no: null },
} as const

/** Confirmation page of a mailed link: requires a tap, so that link scanners and prefetching change nothing. */
export function MailedLinkQuestion() {
  const { token = '' } = useParams()
  const { t } = useTranslation('accounts')
  const isLoggedIn = useSession(state => state.phase === 'started')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const ask = useCallback(() => withProgress(describeLink(token)), [token])
  const { answer: link, problem, setProblem, load } = useAnswer(ask, t('activate.noAnswer'))

  const answer = async (call: (token: string) => Promise<Outcome>) => {
    setProblem('')
    try {
      setOutcome(await withProgress(call(token)))
      // A new e-mail changes the session's user name; an undo ends the session.
      if (useSession.getState().phase === 'started') await useSession.getState().check()
    } catch (error) {
      setProblem(messageOf(error, t('activate.noAnswer')))
    }
  }
  const purpose = link?.purpose || null
  const shown = outcome ?? (link && !purpose ? link : null)
  return (
    <div className={piece('stack', 'loose', 'narrow')}>
      <ScreenHeader title={t(purpose === 'undo' ? 'undo.title' : 'activate.title')} />
      {problem && !link && <ErrorState title={t('activate.failed')} text={problem} onRetry={load} />}
      {!problem && !link && <Skeleton rows={1} height={64} />}
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
            <p role="alert" className={piece('trouble', 'flush')}>
              {problem}
            </p>
          )}
          <div className={piece('actions')}>
            <Answer purpose={purpose} onAnswer={answer} />
          </div>
        </>
      )}
      {shown && (
        <>
          <p role="status" className={shown.status === 'Ok' ? piece('done', 'flush') : piece('trouble', 'flush')}>
            {shown.status === 'Ok' && <IconCircleCheck />}
            {shown.message}
          </p>
          <ButtonLink href={isLoggedIn ? '/home' : '/login'} look="primary">
            {t(isLoggedIn ? 'activate.home' : 'activate.login')}
          </ButtonLink>
        </>
      )}
    </div>
  )
}

type AnswerProps = {
  purpose: keyof typeof ANSWERS
  onAnswer: (call: (token: string) => Promise<Outcome>) => Promise<void>
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
          {t('activate.notMe')}
        </Button>
      ) : (
        <ButtonLink href="/home" look="ghost">
          {t('undo.itWasMe')}
        </ButtonLink>
      )}
    </>
  )
}

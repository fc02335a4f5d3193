import { IconCircleCheck } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import type { Outcome } from '#contract/values.ts'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { sendConfirmation } from './api.ts'

/** Where the links of the activation mail, and of the mail to a new address, lead. */
export function ActivateScreen() {
  const { token = '' } = useParams()
  const { t } = useTranslation('accounts')
  const isLoggedIn = useSession(state => state.phase === 'started')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [problem, setProblem] = useState('')
  const asked = useRef('')

  const open = useCallback(async () => {
    setProblem('')
    try {
      setOutcome(await sendConfirmation(token))
      // A new e-mail is the session's new name.
      if (useSession.getState().phase === 'started') await useSession.getState().check()
    } catch (error) {
      setProblem(messageOf(error, t('activate.noAnswer')))
    }
  }, [token, t])
  useEffect(() => {
    if (asked.current === token) return
    asked.current = token
    open()
  }, [token, open])

  return (
    <div className={form.form}>
      <ScreenHeader title={t('activate.title')} />
      {problem && <ErrorState title={t('activate.failed')} text={problem} onRetry={open} />}
      {!problem && !outcome && <Skeleton rows={1} height={64} />}
      {outcome && (
        <>
          <p role="status" className={outcome.status === 'Ok' ? form.success : form.problem}>
            {outcome.status === 'Ok' && <IconCircleCheck aria-hidden />}
            {outcome.message}
          </p>
          <Link href={isLoggedIn ? '/home' : '/login'} className={`${buttons.button} ${buttons.primary}`}>
            {t(isLoggedIn ? 'activate.home' : 'activate.login')}
          </Link>
        </>
      )}
    </div>
  )
}

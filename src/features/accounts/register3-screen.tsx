import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import { completeProfile } from '#contract/profile-rules.ts'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { sendRegistration } from './api.ts'
import { ProfileForm } from './components/profile-form.tsx'
import { Steps } from './components/steps.tsx'
import { EMPTY_REGISTRATION, loadDivisions, useRegistration } from './store.ts'

/** Third step: the group the person belongs to, and what the department needs of it. */
export function Register3Screen() {
  const { t } = useTranslation('accounts')
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const { input } = useRegistration()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    loadDivisions()
  }, [])
  if (phase === 'started' || !input.email) return <Redirect to="/home" />

  const submit = async () => {
    setProblem('')
    try {
      const answer = await withProgress(sendRegistration(completeProfile(input)))
      if (answer.status !== 'Ok') return setProblem(answer.message)
      navigate(`/login?registered=${encodeURIComponent(input.email ?? '')}`)
      useRegistration.setState({ input: EMPTY_REGISTRATION })
    } catch (error) {
      setProblem(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <h1>{t('register.title')}</h1>
      <Steps step={3} />
      <ProfileForm
        step={3}
        input={input}
        onChange={changed => useRegistration.setState({ input: changed })}
        onSubmit={submit}
        submitLabel={t('register.submit')}
        back={
          <Link href="/register2" className={`${buttons.button} ${buttons.ghost}`}>
            {t('back')}
          </Link>
        }
      >
        {problem && (
          <p className={form.problem} role="alert">
            {problem}
          </p>
        )}
      </ProfileForm>
    </>
  )
}

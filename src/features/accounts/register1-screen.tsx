import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useLocation } from 'wouter'
import buttons from '#components/button.module.css'
import form from '#components/form.module.css'
import { TextField } from '#components/text-field.tsx'
import type { ProfileField } from '#contract/profile-rules.ts'
import { NewPasswordFields } from '#features/session/components/new-password-fields-card.tsx'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { sendEmailPasswordCheck } from './api.ts'
import { Steps } from './components/steps.tsx'
import { errorsOf } from './form-model.ts'
import { useRegistration } from './store.ts'

/** First step: e-mail and password, checked by the server before it goes on. */
export function Register1Screen() {
  const { t } = useTranslation('accounts')
  const [, navigate] = useLocation()
  const phase = useSession(state => state.phase)
  const { input } = useRegistration()
  const [touched, setTouched] = useState<ReadonlySet<ProfileField>>(new Set())
  const [problem, setProblem] = useState('')
  if (phase === 'started') return <Redirect to="/home" />

  const { email = '', password = '', confirmPassword = '' } = input
  const errors = errorsOf(input, 1, new Date().getFullYear())
  const isValid = Object.keys(errors).length === 0
  const change = (changes: Partial<typeof input>) => useRegistration.setState({ input: { ...input, ...changes } })
  const touch = (field: ProfileField) => setTouched(fields => new Set(fields).add(field))
  const shown = (field: ProfileField) => {
    const key = errors[field]
    return key && touched.has(field) ? t(`error.${key}`) : undefined
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem('')
    if (!isValid) return setTouched(new Set<ProfileField>(['email', 'password', 'confirmPassword']))
    try {
      const answer = await withProgress(sendEmailPasswordCheck(email ?? '', password ?? '', confirmPassword ?? ''))
      if (answer.status === 'Ok') navigate('/register2')
      else setProblem(answer.message)
    } catch (error) {
      setProblem(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <h1>{t('register.title')}</h1>
      <Steps step={1} />
      <form className={form.form} onSubmit={submit} noValidate>
        <TextField
          label={t('field.email')}
          name="email"
          type="email"
          autoComplete="username"
          required
          value={email ?? ''}
          onChange={value => change({ email: value })}
          onBlur={() => touch('email')}
          error={shown('email')}
        />
        <NewPasswordFields
          password={password ?? ''}
          confirmPassword={confirmPassword ?? ''}
          onChange={(newPassword, repeated) => change({ password: newPassword, confirmPassword: repeated })}
          personalWords={(email ?? '').split(/[@._+-]/)}
          errors={{ password: shown('password'), confirmPassword: shown('confirmPassword') }}
          onTouch={touch}
        />
        {problem && (
          <p className={form.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={form.actions}>
          <Link href="/" className={`${buttons.button} ${buttons.ghost}`}>
            {t('cancel')}
          </Link>
          <button type="submit" className={`${buttons.button} ${buttons.primary}`} disabled={!isValid}>
            {t('next')}
          </button>
        </div>
      </form>
    </>
  )
}

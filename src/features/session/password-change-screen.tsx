import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation } from 'wouter'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import form from '#components/form.module.css'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { sendPasswordChange } from './api.ts'
import { NewPasswordFields } from './components/new-password-fields-card.tsx'
import { useSession } from './store.ts'

type Field = 'password' | 'confirmPassword'

export function PasswordChangeScreen() {
  const { t } = useTranslation('session')
  const [, navigate] = useLocation()
  const { phase, session, update } = useSession()
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const [result, setResult] = useState<'changed' | 'insecure' | null>(null)
  if (phase === 'none') return <Redirect to="/home" />

  const isLong = password.length >= 6 && password.length <= 50
  const isSame = confirmPassword === password
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isLong || !isSame) return
    try {
      const { changed } = await withProgress(sendPasswordChange(password, confirmPassword))
      if (changed) update({ isPasswordToChange: false })
      setResult(changed ? 'changed' : 'insecure')
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  const close = () => {
    if (result === 'changed') navigate('/')
    setResult(null)
  }
  return (
    <div style={{ maxWidth: 560 }}>
      <h1>{t('change.title')}</h1>
      <p className={form.note}>{t('change.hint')}</p>
      <form className={form.form} onSubmit={submit} noValidate style={{ marginTop: 16 }}>
        {/* Password managers file the new password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.userName ?? ''} readOnly />
        <NewPasswordFields
          password={password}
          confirmPassword={confirmPassword}
          onChange={(changed, repeated) => {
            setPassword(changed)
            setConfirmPassword(repeated)
          }}
          personalWords={session ? [session.givenName, session.familyName, ...session.userName.split(/[@._+-]/)] : []}
          errors={{
            password: touched.has('password') && !isLong ? t('change.length') : undefined,
            confirmPassword: touched.has('confirmPassword') && !isSame ? t('change.mismatch') : undefined,
          }}
          onTouch={field => setTouched(fields => new Set(fields).add(field))}
        />
        <div className={form.actions}>
          <button
            type="submit"
            className={`${buttons.button} ${buttons.primary}`}
            disabled={!isLong || confirmPassword.length < 6 || !isSame}
          >
            {t('ok')}
          </button>
        </div>
      </form>
      {result && (
        <Dialog title={t(`change.${result}.title`)} closeLabel={t('close')} onClose={close}>
          <p>{t(`change.${result}.text`)}</p>
          <button type="button" className={`${buttons.button} ${buttons.plain}`} onClick={close}>
            {t('ok')}
          </button>
        </Dialog>
      )}
    </div>
  )
}

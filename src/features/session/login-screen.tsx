import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import form from '#components/form.module.css'
import { TextField } from '#components/text-field.tsx'
import { EMAIL_PATTERN } from '#contract/values.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { askForActivationMail, askForNewPassword } from './api.ts'
import { useSession } from './store.ts'

/** A path of this portal; anything else would lead a reader away after the login. */
const isOwnPath = (path: string | null): path is string => path !== null && /^\/(?![/\\])/.test(path)

export function LoginScreen() {
  const { t } = useTranslation('session')
  const [, navigate] = useLocation()
  const [search] = useSearchParams()
  const registered = search.get('registered')
  const { phase, login } = useSession()
  const [userName, setUserName] = useState(registered ?? '')
  const [password, setPassword] = useState('')
  const [keepSession, setKeepSession] = useState(false)
  const [modal, setModal] = useState<{ title: string; text: string } | null>(null)
  const target = search.get('next')

  useEffect(() => {
    if (registered) setModal({ title: t('registered.title'), text: t('registered.text', { email: registered }) })
  }, [registered, t])
  useEffect(() => {
    if (phase === 'started') navigate(isOwnPath(target) ? target : '/', { replace: true })
  }, [phase, target, navigate])

  const name = userName.trim()
  const isEmail = EMAIL_PATTERN.test(name)
  const isValid = name.length >= 2 && name.length <= 50 && password.length >= 4 && password.length <= 50

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    try {
      const session = await login({ userName: name, password, keepSession })
      if (session.status !== 'Ok') showError(session.message)
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  const reset = async () => {
    try {
      const { status, message } = await withProgress(askForNewPassword(name))
      setModal({ title: t(status === 'Ok' ? 'reset.sent' : 'reset.failed'), text: message })
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  const resend = async () => {
    try {
      const { status, message } = await withProgress(askForActivationMail(name))
      if (status === 'Ok') showSuccess(message)
      else showError(message)
    } catch (error) {
      showError(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <>
      <h1>{t('login.title')}</h1>
      <form className={form.form} onSubmit={submit} noValidate>
        <TextField
          label={t('login.email')}
          name="username"
          type="email"
          autoComplete="username"
          value={userName}
          onChange={setUserName}
          required
        />
        <TextField
          label={t('login.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          reveal={{ show: t('password.show'), hide: t('password.hide') }}
          required
        />
        <label className={form.check}>
          <input
            type="checkbox"
            name="keepSession"
            checked={keepSession}
            onChange={event => setKeepSession(event.currentTarget.checked)}
          />
          {t('login.keep')}
        </label>
        <div className={form.actions}>
          <Link href="/" className={`${buttons.button} ${buttons.ghost}`}>
            {t('login.cancel')}
          </Link>
          <button
            type="submit"
            className={`${buttons.button} ${buttons.primary}`}
            disabled={!isValid || phase === 'checking'}
          >
            {t('login.submit')}
          </button>
        </div>
        <div className={form.links}>
          <button type="button" className={form.link} disabled={!isEmail} onClick={reset}>
            {t('login.forgot')}
          </button>
          <button type="button" className={form.link} disabled={!isEmail} onClick={resend}>
            {t('login.resend')}
          </button>
          {!isEmail && <p className={form.note}>{t('login.linksNeedEmail')}</p>}
        </div>
        <p className={form.note}>
          {t('login.noAccount')} <Link href="/register1">{t('login.register')}</Link>
        </p>
      </form>
      {modal && (
        <Dialog title={modal.title} closeLabel={t('close')} onClose={() => setModal(null)}>
          <p>{modal.text}</p>
          <button type="button" className={`${buttons.button} ${buttons.plain}`} onClick={() => setModal(null)}>
            {t('ok')}
          </button>
        </Dialog>
      )}
    </>
  )
}

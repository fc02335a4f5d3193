import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { TextField } from '#components/text-field.tsx'
import { loginErrors, routeAfterLogin } from '#features/session/model.ts'
import { useSession } from '#features/session/store.ts'
import { messageOf } from '#lib/api-error.ts'
import { showError } from '#lib/toast.ts'

/** The short login of wide screens; the login screen has everything else. */
export function LoginBox({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const login = useSession(state => state.login)
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const isValid = Object.keys(loginErrors({ userName, password })).length === 0

  const tell = (message: string) => {
    setProblem(message)
    showError(message)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem('')
    try {
      const session = await login({ userName: userName.trim(), password, keepSession: false })
      if (session.status !== 'Ok') return tell(session.message)
      onDone()
      navigate(routeAfterLogin(session, null))
    } catch (error) {
      tell(messageOf(error, t('noAnswer')))
    }
  }
  return (
    <form className={piece('stack', 'flush', 'padded')} noValidate onSubmit={submit}>
      <TextField
        label={t('loginBox.email')}
        type="email"
        name="username"
        autoComplete="username"
        value={userName}
        onChange={setUserName}
      />
      <TextField
        label={t('loginBox.password')}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {problem && <p className={piece('bad')}>{problem}</p>}
      <Button type="submit" look="primary" disabled={!isValid}>
        {t('nav.login')}
      </Button>
      <p className={piece('spread')}>
        <Link href="/login" onClick={onDone}>
          {t('loginBox.more')}
        </Link>
        <Link href="/register1" onClick={onDone}>
          {t('nav.register')}
        </Link>
      </p>
    </form>
  )
}

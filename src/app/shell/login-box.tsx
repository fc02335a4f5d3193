import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { loginFormErrors, routeAfterLogin } from '#features/session/model.ts'
import { useLogin } from '#features/session/use-login.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { CurrentPasswordField, UserNameField } from '#ui/login-fields.tsx'

/** Compact login form for wide screens. The login screen has further options. */
export function LoginBox({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const { problem, send } = useLogin(t('noAnswer'))
  const isValid = Object.keys(loginFormErrors({ userName, password })).length === 0

  const isSending = useRef(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending.current) return
    isSending.current = true
    const session = await send({ userName, password, keepSession: false })
    isSending.current = false
    if (!session) return
    onDone()
    navigate(routeAfterLogin(session, null))
  }
  return (
    <Stack as="form" flush py="s" noValidate onSubmit={submit}>
      <UserNameField label={t('loginBox.email')} value={userName} onChange={setUserName} />
      <CurrentPasswordField label={t('loginBox.password')} value={password} onChange={setPassword} />
      {problem && <Text tone="bad">{problem}</Text>}
      <Button type="submit" look="primary" disabled={!isValid}>
        {t('nav.login')}
      </Button>
      <Row as="p" justify="between">
        <Link href="/login" onClick={onDone}>
          {t('loginBox.more')}
        </Link>
        <Link href="/register1" onClick={onDone}>
          {t('nav.register')}
        </Link>
      </Row>
    </Stack>
  )
}

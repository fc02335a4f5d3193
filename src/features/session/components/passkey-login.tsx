import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Card, Stack } from '#ui/layout.tsx'
import { loginByPasskey } from '../passkey-store.ts'

/** Passwordless login with a passkey. */
export function PasskeyLogin({ keepSession }: { keepSession: boolean }) {
  const { t } = useTranslation('accounts')
  const [problem, setProblem] = useState('')
  if (!browserSupportsWebAuthn()) return null
  const login = async () => {
    setProblem('')
    setProblem(await loginByPasskey(keepSession, key => t(`passkey.${key}`)))
  }
  return (
    <Stack mt="l">
      <Button look="ghost" onClick={login}>
        {t('passkey.login')}
      </Button>
      {problem && (
        <Card as="p" status="error" flush role="alert">
          {problem}
        </Card>
      )}
    </Stack>
  )
}

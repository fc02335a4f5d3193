import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { loginByPasskey } from '../passkey-store.ts'

/** Passwordless login by passkey. */
export function PasskeyLogin({ keepSession }: { keepSession: boolean }) {
  const { t } = useTranslation('accounts')
  const [problem, setProblem] = useState('')
  if (!browserSupportsWebAuthn()) return null
  const login = async () => {
    setProblem('')
    setProblem(await loginByPasskey(keepSession, key => t(`passkey.${key}`)))
  }
  return (
    <div className={piece('stack', 'above')}>
      <Button look="ghost" onClick={login}>
        {t('passkey.login')}
      </Button>
      {problem && (
        <p className={piece('trouble', 'flush')} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

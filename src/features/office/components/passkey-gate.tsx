import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { confirmByPasskey } from '#features/session/passkey-store.ts'
import { passkeyShown } from '../store.ts'

/** Stands before the desk until the session is confirmed by a passkey; what waited goes on. */
export function PasskeyGate() {
  const { t } = useTranslation(['office', 'accounts'])
  const [problem, setProblem] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const show = async () => {
    setProblem('')
    setIsAsking(true)
    const failure = await confirmByPasskey(key => t(`accounts:passkey.${key}`))
    setIsAsking(false)
    setProblem(failure)
    if (!failure) passkeyShown()
  }
  return (
    <section className={piece('box', 'stack', 'narrow')} aria-labelledby="passkey-gate">
      <h1 id="passkey-gate">{t('gate.title')}</h1>
      <p className={piece('flush')}>{t('gate.text')}</p>
      <div className={piece('actions')}>
        <Button look="primary" aria-disabled={isAsking} onClick={show}>
          {t('gate.show')}
        </Button>
      </div>
      {problem && (
        <p className={piece('trouble', 'flush')} role="alert">
          {problem}
        </p>
      )}
      <p className={piece('muted', 'flush')}>{t('gate.none')}</p>
    </section>
  )
}

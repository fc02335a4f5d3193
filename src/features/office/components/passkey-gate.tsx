import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { confirmByPasskey } from '#features/session/passkey-store.ts'
import { resumeAfterPasskey } from '../store.ts'
import { PasskeyStep } from './passkey-step.tsx'

/** Requires passkey confirmation, then resumes the pending action. */
export function PasskeyGate() {
  const { t } = useTranslation('office')
  return (
    <section className={piece('box', 'stack', 'narrow')} aria-labelledby="passkey-gate">
      <h1 id="passkey-gate">{t('gate.title')}</h1>
      <p className={piece('flush')}>{t('gate.text')}</p>
      <PasskeyStep label={t('gate.show')} ask={confirmByPasskey} onDone={resumeAfterPasskey} />
      <p className={piece('muted', 'flush')}>{t('gate.none')}</p>
    </section>
  )
}

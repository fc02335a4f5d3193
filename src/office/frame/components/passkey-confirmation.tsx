import { useTranslation } from 'react-i18next'
import { confirmByPasskey } from '#features/session/passkey-store.ts'
import { Card, Text } from '#ui/layout.tsx'
import { resumeRequestsAfterPasskey } from '../store.ts'
import { PasskeyButton } from './passkey-button.tsx'

/** Dialog that asks for confirmation by passkey and then resumes the pending requests. */
export function PasskeyConfirmation() {
  const { t } = useTranslation('office')
  return (
    <Card width="narrow" layout="stack" aria-labelledby="passkey-gate">
      <h1 id="passkey-gate">{t('gate.title')}</h1>
      <Text flush>{t('gate.text')}</Text>
      <PasskeyButton label={t('gate.show')} ask={confirmByPasskey} onDone={resumeRequestsAfterPasskey} />
      <Text tone="muted" flush>
        {t('gate.none')}
      </Text>
    </Card>
  )
}

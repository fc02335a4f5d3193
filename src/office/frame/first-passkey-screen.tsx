import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { registerPasskey } from '#features/session/passkey-store.ts'
import { Card, Text } from '#ui/layout.tsx'
import { OfficePage } from './components/office-page.tsx'
import { PasskeyButton } from './components/passkey-button.tsx'

/**
 * Landing page for the e-mail about a granted permission. Registers the user's first passkey, then opens the office UI.
 */
export function FirstPasskeyScreen({ last: token }: { last: string }) {
  const { t } = useTranslation('office')
  const [, navigate] = useLocation()
  return (
    <OfficePage title={t('first.title')}>
      <Card width="narrow" layout="stack">
        <Text flush>{t('first.text')}</Text>
        <PasskeyButton
          label={t('first.add')}
          ask={words => registerPasskey(words, { token })}
          onDone={() => navigate('/office', { replace: true })}
        />
      </Card>
    </OfficePage>
  )
}

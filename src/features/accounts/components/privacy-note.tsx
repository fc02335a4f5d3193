import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Text } from '#ui/layout.tsx'

/** Privacy note next to a form, with a link to the full privacy policy. */
export function PrivacyNote() {
  const { t } = useTranslation('accounts')
  return (
    <Text tone="muted" flush>
      {t('privacyNote')} <Link href="/privacy">{t('privacyLink')}</Link>
    </Text>
  )
}

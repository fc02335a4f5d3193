import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'

/** Privacy note next to a form, with a link to the full privacy policy. */
export function PrivacyNote() {
  const { t } = useTranslation('accounts')
  return (
    <p className={piece('muted', 'flush')}>
      {t('privacyNote')} <Link href="/privacy">{t('privacyLink')}</Link>
    </p>
  )
}

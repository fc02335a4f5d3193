import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { piece } from '#components/pieces.ts'

/** What becomes of what is typed, where it is typed, and the way to the whole notice. */
export function PrivacyNote({ hasInsurance = false }: { hasInsurance?: boolean }) {
  const { t } = useTranslation('accounts')
  return (
    <p className={piece('muted', 'flush')}>
      {t('privacyNote')} {hasInsurance && `${t('insuranceNote')} `}
      <Link href="/privacy">{t('privacyLink')}</Link>
    </p>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import form from '#components/form.module.css'

/** What becomes of what is typed, where it is typed, and the way to the whole notice. */
export function PrivacyNote({ hasInsurance = false }: { hasInsurance?: boolean }) {
  const { t } = useTranslation('accounts')
  return (
    <p className={form.note}>
      {t('privacyNote')} {hasInsurance && `${t('insuranceNote')} `}
      <Link href="/privacy">{t('privacyLink')}</Link>
    </p>
  )
}

import { useTranslation } from 'react-i18next'

export function PrivacyScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.privacy')}</h1>
}

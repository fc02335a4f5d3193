import { useTranslation } from 'react-i18next'

export function ContactScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.contact')}</h1>
}

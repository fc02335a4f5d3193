import { useTranslation } from 'react-i18next'

export function FaqScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.faq')}</h1>
}

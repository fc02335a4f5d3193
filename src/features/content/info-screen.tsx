import { useTranslation } from 'react-i18next'

export function InfoScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.info')}</h1>
}

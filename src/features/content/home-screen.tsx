import { useTranslation } from 'react-i18next'

export function HomeScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.home')}</h1>
}

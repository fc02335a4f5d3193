import { useTranslation } from 'react-i18next'

export function OfflineScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.offline')}</h1>
}

import { useTranslation } from 'react-i18next'

export function ActivateScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.activate')}</h1>
}

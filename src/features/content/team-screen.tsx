import { useTranslation } from 'react-i18next'

export function TeamScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.team')}</h1>
}

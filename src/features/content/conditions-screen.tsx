import { useTranslation } from 'react-i18next'

export function ConditionsScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.conditions')}</h1>
}

import { useTranslation } from 'react-i18next'

export function InprintScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.inprint')}</h1>
}

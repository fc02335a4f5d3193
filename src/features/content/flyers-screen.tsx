import { useTranslation } from 'react-i18next'

export function FlyersScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.flyers')}</h1>
}

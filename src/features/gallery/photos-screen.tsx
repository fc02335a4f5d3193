import { useTranslation } from 'react-i18next'

export function PhotosScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.photos')}</h1>
}

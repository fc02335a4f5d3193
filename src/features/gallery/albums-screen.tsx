import { useTranslation } from 'react-i18next'

export function AlbumsScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.albums')}</h1>
}

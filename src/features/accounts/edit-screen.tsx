import { useTranslation } from 'react-i18next'

export function EditScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.edit')}</h1>
}

import { useTranslation } from 'react-i18next'

export function NotFoundScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.not-found')}</h1>
}

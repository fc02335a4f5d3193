import { useTranslation } from 'react-i18next'

export function LoginScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.login')}</h1>
}

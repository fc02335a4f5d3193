import { useTranslation } from 'react-i18next'

export function PasswordChangeScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.password-change')}</h1>
}

import { useTranslation } from 'react-i18next'

export function Register1Screen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.register1')}</h1>
}

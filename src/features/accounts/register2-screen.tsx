import { useTranslation } from 'react-i18next'

export function Register2Screen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.register2')}</h1>
}

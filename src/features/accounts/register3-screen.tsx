import { useTranslation } from 'react-i18next'

export function Register3Screen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.register3')}</h1>
}

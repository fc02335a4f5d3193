import { useTranslation } from 'react-i18next'

export function MessagesScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.messages')}</h1>
}

import { useTranslation } from 'react-i18next'

export function InstructorScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.instructor')}</h1>
}

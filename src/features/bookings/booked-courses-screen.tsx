import { useTranslation } from 'react-i18next'

export function BookedCoursesScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.booked-courses')}</h1>
}

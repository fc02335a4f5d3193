import { useTranslation } from 'react-i18next'

export function CourseDetailsScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.course-details')}</h1>
}

import { useTranslation } from 'react-i18next'

export function CourseListScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.course-list')}</h1>
}

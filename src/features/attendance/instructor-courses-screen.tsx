import { useTranslation } from 'react-i18next'

export function InstructorCoursesScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.instructor-courses')}</h1>
}

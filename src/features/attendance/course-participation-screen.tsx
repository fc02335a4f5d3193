import { useTranslation } from 'react-i18next'

export function CourseParticipationScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.course-participation')}</h1>
}

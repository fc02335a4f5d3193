import { useTranslation } from 'react-i18next'

export function CourseProgramScreen() {
  const { t } = useTranslation('shell')
  return <h1>{t('title.course-program')}</h1>
}

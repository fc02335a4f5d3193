import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { findAlternatives } from '../alternative-model.ts'
import type { ListedCourse } from '../model.ts'
import { useCourses } from '../resource.ts'
import { CourseCards } from './course-cards.tsx'

export function CourseAlternatives({ course }: { course: ListedCourse }) {
  const { t } = useTranslation('courses')
  const isLoggedIn = useSession(state => state.session !== null)
  const found = findAlternatives(course, useCourses(), useLanguage(), useToday())
  if (found.length === 0) return null
  return (
    <section>
      <h2>{t('details.alternatives')}</h2>
      <CourseCards courses={found} isLoggedIn={isLoggedIn} />
    </section>
  )
}

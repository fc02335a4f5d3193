import { useTranslation } from 'react-i18next'
import { findAlternatives } from '#features/courses/search/alternative-model.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { canBookNow, isCourseOver, type ListedCourse } from '../model.ts'
import { useCourses, useFindClashes } from '../resource.ts'
import { CourseCards } from './course-cards.tsx'

export function CourseAlternatives({ course }: { course: ListedCourse }) {
  const { t } = useTranslation('courses')
  const isLoggedIn = useSession(state => state.session !== null)
  const findClashes = useFindClashes()
  const todayMs = useToday()
  const found = findAlternatives(
    course,
    useCourses(),
    useLanguage(),
    other => canBookNow(other, isLoggedIn) && !isCourseOver(other, todayMs) && findClashes(other).length === 0,
  )
  if (found.length === 0) return null
  return (
    <section>
      <h2>{t('details.alternatives')}</h2>
      <CourseCards courses={found} isLoggedIn={isLoggedIn} />
    </section>
  )
}

import { useTranslation } from 'react-i18next'
import { BOOKING_STATUS } from '#contract/values.ts'
import { CourseCards } from '#features/courses/components/course-cards.tsx'
import { canBookNow, suggestCourses } from '#features/courses/model.ts'
import { useCoursesBySeason, useCourseTexts, useFindClashes } from '#features/courses/resource.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Stack } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'

const SHOWN = 3

/**
 * Courses that this user can book and that do not conflict with the user's own. Courses in the same cities come first.
 */
export function FittingCourses() {
  const { t } = useTranslation('plan')
  const { current: courses } = useCoursesBySeason()
  const findClashes = useFindClashes()
  // Schedule conflicts cannot be detected until the dates are loaded.
  const areDatesKnown = useCourseTexts(state => state.phase === 'ready')
  const { beginning, running } = suggestCourses(courses, useLocalTimeMs(), true)
  const own = courses.filter(({ bookingStatus }) => bookingStatus !== BOOKING_STATUS.NotBooked)
  const cities = new Set(own.map(({ city }) => city))
  const names = new Set(own.map(({ name }) => name))
  const fitting = [...beginning, ...running].filter(
    course => canBookNow(course, true) && !names.has(course.name) && findClashes(course).length === 0,
  )
  const near = fitting.filter(({ city }) => cities.has(city))
  const shown = [...near, ...fitting.filter(course => !near.includes(course))].slice(0, SHOWN)
  if (!areDatesKnown || shown.length === 0) return null
  return (
    <Stack as="section" flush>
      <h2>{t('fits')}</h2>
      <CourseCards courses={shown} isLoggedIn className={styles({ base: 'stack', gap: 's' })} />
    </Stack>
  )
}

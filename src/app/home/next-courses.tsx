import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CourseCards } from '#features/courses/components/course-cards.tsx'
import { CourseListError } from '#features/courses/components/list-states.tsx'
import { suggestCourses } from '#features/courses/model.ts'
import { useCourseIndex, useCoursesBySeason } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'

const SHOWN = 4

/** The courses that start next, visible without login. */
export function NextCourses() {
  const { t } = useTranslation('content')
  const { current: courses } = useCoursesBySeason()
  const hasFailed = useCourseIndex(state => state.phase === 'failed')
  const isLoggedIn = useSession(state => state.session !== null)
  const nowWallMs = useLocalTimeMs()
  const { beginning, running } = useMemo(
    () => suggestCourses(courses, nowWallMs, isLoggedIn),
    [courses, nowWallMs, isLoggedIn],
  )
  const next = beginning.slice(0, SHOWN)
  const open = running.slice(0, SHOWN - next.length)
  const isEmpty = hasFailed || next.length + open.length === 0
  if (isEmpty && isLoggedIn) return hasFailed && <CourseListError />
  const list = styles({ base: 'stack', gap: 's' })
  return (
    <Stack as="section" flush>
      {hasFailed && <CourseListError />}
      {next.length > 0 && <h2>{t('home.next')}</h2>}
      {next.length > 0 && <CourseCards courses={next} isLoggedIn={isLoggedIn} className={list} />}
      {open.length > 0 && <h2>{t('home.running')}</h2>}
      {open.length > 0 && <CourseCards courses={open} isLoggedIn={isLoggedIn} className={list} />}
      <Row as="p" flush>
        {!isEmpty && (
          <ButtonLink href="/courses" look="plain">
            {t('home.all', { count: courses.length })}
          </ButtonLink>
        )}
        {/* Courses of all seasons are included because between two seasons, newcomers register for the next one. */}
        {!isLoggedIn && <ButtonLink href="/register1">{t('home.register')}</ButtonLink>}
      </Row>
    </Stack>
  )
}

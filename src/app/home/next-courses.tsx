import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { CourseCards } from '#features/courses/components/course-cards.tsx'
import { ListFailed } from '#features/courses/components/list-states.tsx'
import { beginningNext } from '#features/courses/model.ts'
import { useCourseIndex, useCourses } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useToday } from '#lib/use-now.ts'

const SHOWN = 4

/** The next courses to begin: one sees what there is before being asked for anything. */
export function NextCourses() {
  const { t } = useTranslation('content')
  const courses = useCourses()
  const hasFailed = useCourseIndex(state => state.phase === 'failed')
  const isLoggedIn = useSession(state => state.session !== null)
  const todayMs = useToday()
  const next = useMemo(() => beginningNext(courses, todayMs).slice(0, SHOWN), [courses, todayMs])
  if (hasFailed) return <ListFailed />
  if (next.length === 0) return null
  return (
    <section className={piece('stack', 'flush')}>
      <h2>{t('home.next')}</h2>
      <CourseCards courses={next} isLoggedIn={isLoggedIn} className={piece('stack', 'close')} />
      <p className={piece('row', 'flush')}>
        <ButtonLink href="/courses" look="plain">
          {t('home.all', { count: courses.length })}
        </ButtonLink>
        {!isLoggedIn && <ButtonLink href="/register1">{t('home.register')}</ButtonLink>}
      </p>
    </section>
  )
}

import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { formatDayMonth } from '#contract/words.ts'
import { CourseCard } from '#features/courses/components/course-card.tsx'
import { CourseMeeting } from '#features/courses/components/course-meeting.tsx'
import { OwnLessons } from '#features/courses/components/own-lessons.tsx'
import { useSession } from '#features/session/store.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { useReloadOnReconnect } from '#lib/online.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Columns, Notice, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { OutboxStatusLine } from './components/outbox-status-line.tsx'
import { SubstituteRequests } from './components/substitute-requests.tsx'
import {
  countUnsyncedChanges,
  groupInstructorCourses,
  latestRecordedAttendance,
  pendingPresenceEntriesOf,
} from './model.ts'
import { loadInstructorCourses, useAttendance, useBatchedAttendanceLists } from './store.ts'

/** Number of participants present at the last lesson, according to the list stored on this device. */
function LastTime({ course: { id } }: { course: Pick<Course, 'id'> }) {
  const { t } = useTranslation('attendance')
  const userId = useSession(state => state.session?.webUserId)
  const { [id]: list } = useBatchedAttendanceLists()
  const entries = useAttendance(state => state.view.entries)
  const nowWallMs = useLocalTimeMs()
  const last =
    list && userId !== undefined
      ? latestRecordedAttendance(list, pendingPresenceEntriesOf(entries, id, userId), nowWallMs)
      : null
  if (!last) return null
  const { date, present, listed } = last
  return (
    <Text size="s" tone="ink" flush>
      {t('instructor.last', { present, listed, date: formatDayMonth(date) })}
    </Text>
  )
}

/** The instructor's courses with links to their attendance lists, and the unsent changes of all courses. */
export function InstructorCoursesScreen() {
  const { t } = useTranslation(['attendance', 'courses'])
  const phase = useSession(state => state.phase)
  const session = useSession(state => state.session)
  const courses = useAttendance(state => state.courses)
  const coursesFetchedAt = useAttendance(state => state.coursesFetchedAt)
  const view = useAttendance(state => state.view)
  const { entries } = view
  const [problem, setProblem] = useState('')
  const isInstructor = session?.isInstructor ?? false
  const userId = session?.webUserId
  const load = useCallback(async () => {
    try {
      await loadInstructorCourses()
      setProblem('')
    } catch (error) {
      setProblem(errorMessageOf(error, t('instructor.noNetwork')))
    }
  }, [t])
  useEffect(() => {
    if (isInstructor) load()
  }, [isInstructor, load])
  useReloadOnReconnect(load, courses !== null && problem !== '')

  const today = useToday()
  if (phase === 'none' || (session && !isInstructor)) return <Redirect to="/home" />
  const openOf = (courseId: number) => countUnsyncedChanges(entries, userId, { courseId })
  const mine = entries.filter(entry => entry.userId === userId && entry.state !== 'confirmed')
  const elsewhere = [...new Set(mine.map(({ courseId }) => courseId))].filter(
    courseId => !courses?.some(({ id }) => id === courseId),
  )
  const openText = (courseId: number) => {
    const { unsent, refused } = openOf(courseId)
    return [
      unsent > 0 && t('instructor.waiting', { count: unsent }),
      refused > 0 && t('instructor.refused', { count: refused }),
    ]
      .filter(Boolean)
      .join(', ')
  }
  return (
    <>
      <ScreenHeader title={t('instructor.title')} lead={t('instructor.intro')} />
      {session && <SubstituteRequests />}
      {courses && <AsOfLine asOf={coursesFetchedAt} isStale={problem !== ''} />}
      <OutboxStatusLine isQuiet />
      {session?.keepSession === false && <Notice>{t('instructor.notKept')}</Notice>}
      {elsewhere.map(courseId => (
        <Notice key={courseId}>
          <Link href={`/course-participation/${courseId}`}>{t('instructor.elsewhere', { id: courseId })}</Link>{' '}
          {openText(courseId)}
        </Notice>
      ))}
      {/* The placeholder remains until the session is known, because the notices above it depend on the session. */}
      {session && !courses && problem === '' && <Skeleton rows={3} height={180} />}
      {!courses && problem !== '' && <ErrorState title={t('instructor.failed')} text={problem} onRetry={load} />}
      {courses?.length === 0 && <EmptyState title={t('instructor.empty')} />}
      {courses &&
        Object.entries(groupInstructorCourses(courses, today)).map(
          ([group, members]) =>
            members.length > 0 && (
              <Stack as="section" key={group} mt="l">
                <h2>{t(`instructor.group.${group}`)}</h2>
                <Columns as="ul">
                  {members.map(course => (
                    <li key={course.id}>
                      <CourseCard course={course} mode="instructor" isLoggedIn lessons={<OwnLessons course={course} />}>
                        <CourseMeeting course={course} />
                        <LastTime course={course} />
                        {openText(course.id) && <Notice>{openText(course.id)}</Notice>}
                        <ButtonLink
                          look="primary"
                          href={`/course-participation/${course.id}`}
                          className={styles({ raised: true })}
                        >
                          {t('courses:card.recordParticipation')}
                        </ButtonLink>
                      </CourseCard>
                    </li>
                  ))}
                </Columns>
              </Stack>
            ),
        )}
    </>
  )
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { isCancellableAt } from '#contract/lessons.ts'
import { CourseCard } from '#features/courses/components/course-card.tsx'
import { CourseFinder } from '#features/courses/components/course-finder.tsx'
import { CourseMeeting } from '#features/courses/components/course-meeting.tsx'
import { OwnLessons } from '#features/courses/components/own-lessons.tsx'
import { WaiverProgress } from '#features/courses/components/waiver-progress.tsx'
import { useSession } from '#features/session/store.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Columns, Row, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import classes from './booked-courses-screen.module.css'
import { AbsenceButton } from './components/absence-button.tsx'
import { CancelButton } from './components/cancel-button.tsx'
import { CancelledCourses } from './components/cancelled-courses.tsx'
import { FeedbackLink } from './components/feedback-link.tsx'
import { LessonPlaces } from './components/lesson-places.tsx'
import { NextSeasonLink } from './components/next-season-link.tsx'
import { sortBookedCourses } from './model.ts'
import { useBookedCourses } from './resource.ts'

/** The user's bookings and waiting-list entries, with past ones at the end. */
export function BookedCoursesScreen() {
  const { t } = useTranslation('own-bookings')
  const [, navigate] = useLocation()
  const isVisitor = useSession(state => state.phase === 'none')
  const session = useSession(state => state.session)
  const { data: courses, phase, asOf, isStale } = useBookedCourses()

  useEffect(() => {
    if (isVisitor) navigate('/home', { replace: true })
  }, [isVisitor, navigate])
  useEffect(() => {
    useBookedCourses.load()
  }, [])

  const nowWallMs = useLocalTimeMs()
  const { current, past } = sortBookedCourses(courses, useToday())
  return (
    <Stack gap="s">
      <ScreenHeader title={t('mine.greeting', { name: session?.givenName || session?.userName })}>
        <CourseFinder label={t('mine.search')} />
      </ScreenHeader>
      <Row flush>
        <h2>{t('mine.title')}</h2>
        <AsOfLine asOf={asOf} isStale={isStale} isBeside />
        <Link href="/costs" className={styles({ base: 'actionLink' })}>
          {t('mine.costs')}
        </Link>
      </Row>
      <CancelledCourses />
      <LessonPlaces />
      {phase === 'loading' && <Skeleton rows={2} height={220} />}
      {phase === 'failed' && <ErrorState title={t('mine.failed')} onRetry={useBookedCourses.load} />}
      {phase === 'ready' && courses.length === 0 && (
        <EmptyState title={t('mine.emptyTitle')} text={t('mine.emptyText')}>
          <ButtonLink href="/courses" look="primary">
            {t('mine.emptyAction')}
          </ButtonLink>
        </EmptyState>
      )}
      {[current, past].map(
        (group, index) =>
          group.length > 0 && (
            <Stack as="section" gap="s" key={group === past ? 'past' : 'current'}>
              {index === 1 && (
                <Text as="h3" tone="muted" mt="l" flush>
                  {t('mine.past')}
                </Text>
              )}
              <Columns as="ul" aria-label={t('mine.title')}>
                {group.map(course => (
                  <li key={course.id}>
                    <CourseCard course={course} mode="participant" isLoggedIn lessons={<OwnLessons course={course} />}>
                      <CourseMeeting course={course} />
                      <div className={classes.progress}>
                        <WaiverProgress course={course} />
                      </div>
                      <NextSeasonLink course={course} />
                      {group === past && <FeedbackLink course={course} />}
                      {group === current && <AbsenceButton courseId={course.id} />}
                      {(group === current || isCancellableAt(course, nowWallMs)) && (
                        <CancelButton course={course} isOver={group === past} look="text" />
                      )}
                    </CourseCard>
                  </li>
                ))}
              </Columns>
            </Stack>
          ),
      )}
    </Stack>
  )
}

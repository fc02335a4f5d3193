import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { plainText, textInLanguage } from '#contract/words.ts'
import { BookingSection } from '#features/bookings/components/booking-block.tsx'
import { markCancellationSeen } from '#features/bookings/resource.ts'
import { ClashTags } from '#features/courses/components/clash-tags.tsx'
import { CourseAlternatives } from '#features/courses/components/course-alternatives.tsx'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { CourseDates } from '#features/courses/components/course-dates.tsx'
import { CourseDetailsHeader } from '#features/courses/components/course-details-header.tsx'
import { CourseFacts, SecondaryFacts } from '#features/courses/components/course-facts.tsx'
import { VenueDirections } from '#features/courses/components/lazy-venue-directions.ts'
import { CourseListSkeleton } from '#features/courses/components/list-states.tsx'
import { StructuredData } from '#features/courses/components/structured-data.tsx'
import { isCourseOver, isFullyBooked, localizedTextsOf } from '#features/courses/model.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useCourseDetails } from '#features/courses/use-course-details.ts'
import { useSession } from '#features/session/store.ts'
import { usePageTitle } from '#lib/breadcrumb.ts'
import { toLocalTimeMs } from '#lib/format.ts'
import { showError } from '#lib/toast.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { CleanHtml } from '#ui/clean-html.tsx'
import { Card, Row, Stack, Text } from '#ui/layout.tsx'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import classes from './course-details-screen.module.css'

// Exported here to share the chunk, because both screens show the same components.
export { CoursePanel } from '#app/course-list/course-panel.tsx'
export { CourseByNumber } from './course-by-number.tsx'

const { screen: CourseNotificationsCard } = lazyComponent(() =>
  import('#features/reminders/components/course-notifications-card.tsx').then(m => m.CourseNotificationsCard),
)

const { screen: EndedBooking } = lazyComponent(() =>
  import('#features/bookings/components/cancelled-courses.tsx').then(m => m.EndedBooking),
)

const { screen: LessonPlaces } = lazyComponent(() =>
  import('#features/bookings/components/lesson-places.tsx').then(m => m.LessonPlaces),
)

/** How long before booking opens, in ms, the countdown moves to the top of the page. */
const NEAR_MS = 3_600_000

export function CourseDetailsScreen() {
  const { t } = useTranslation('courses')
  const [, navigate] = useLocation()
  const id = Number(useParams<{ id: string }>().id)
  const { course, phase, isChecking, isWhole, retry } = useCourseDetails(id)
  useEffect(() => {
    if (phase !== 'missing') return
    showError(t('details.notFound'))
    navigate('/home', { replace: true })
  }, [phase, navigate, t])

  return (
    <article>
      <CourseDetailsHeader course={course} />
      {course && <Details key={course.id} course={course} isChecking={isChecking} isWhole={isWhole} />}
      {phase === 'unreachable' && (
        <ErrorState title={t('details.offlineTitle')} text={t('details.offlineText')} onRetry={retry} />
      )}
      {!course && phase !== 'unreachable' && <CourseListSkeleton />}
    </article>
  )
}

type Props = { course: Course; isChecking: boolean; isWhole: boolean }

function Details({ course, isChecking, isWhole }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { name, teaser } = localizedTextsOf(course, language)
  const asOf = useCourseIndex(state => state.asOf)
  const isStale = useCourseIndex(state => state.isStale)
  const isMine = course.bookingStatus !== BOOKING_STATUS.NotBooked
  const isPast = isCourseOver(course, useToday())
  const canReach = !isPast && (isMine || !course.seasonBookable)
  const hasPlaces = course.currentBooked !== null && course.seasonBookable && !isPast && !course.cancelled
  usePageTitle(name, plainText(teaser).slice(0, 155), `/course-details/${course.id}`)
  const isLoggedIn = useSession(state => state.session !== null)
  useEffect(() => {
    if (course.cancelled && isLoggedIn) markCancellationSeen(course.id)
  }, [course.cancelled, course.id, isLoggedIn])
  const nowWallMs = useLocalTimeMs()
  // Determined at mount, so that the layout does not change while the user is reading.
  const [isFarOff] = useState(() => !course.seasonBookable && toLocalTimeMs(course.bookableFrom) - nowWallMs > NEAR_MS)
  const booking = (
    <div className={classes.booking}>
      <BookingSection key={course.id} course={course} isOver={isPast} isChecking={isChecking} />
    </div>
  )
  const isOff = course.cancelled && !isMine
  const facts = (
    <>
      <CourseFacts course={course} hasPlaces={hasPlaces} />
      {isWhole && canReach && !isOff && (
        <div className={classes.reach}>
          <CourseNotificationsCard course={course} />
        </div>
      )}
    </>
  )
  return (
    <>
      <AsOfLine asOf={asOf} isStale={isStale} />
      <Stack gap="s" hideEmpty className={classes.news}>
        {course.cancelled ? (
          <Card as="p" status="error" weight="semibold" flush>
            {course.obstacleText || t('card.cancelled')}
          </Card>
        ) : (
          <CourseChanges course={course} />
        )}
        {course.cancelled && isLoggedIn && <EndedBooking courseId={course.id} />}
        {!course.cancelled && isLoggedIn && <LessonPlaces courseId={course.id} />}
      </Stack>
      <div className={classes.details}>
        {!isOff && !isFarOff && booking}
        <Stack gap="l" className={classes.about}>
          {facts}
          {/* Rendered only once all data of the course is loaded, to prevent a layout shift. */}
          {isWhole ? <About course={course} isOver={isPast} /> : <Skeleton rows={1} />}
        </Stack>
        {!isOff && isFarOff && booking}
        {isWhole && <More course={course} />}
      </div>
      <StructuredData course={course} />
    </>
  )
}

/** What the course is. */
function About({ course, isOver }: { course: Course; isOver: boolean }) {
  const { t } = useTranslation('courses')
  const { teaser } = localizedTextsOf(course, useLanguage())
  return (
    <>
      {!isOver && (
        <Row as="ul" gap="xs" hideEmpty>
          <ClashTags course={course} t={t} className={styles({ chip: true, fill: 'waiting' })} />
        </Row>
      )}
      {teaser && (
        <section>
          <h2>{t('details.about')}</h2>
          <CleanHtml html={teaser} className={styles({ width: 'reading' })} />
        </section>
      )}
      <SecondaryFacts course={course} />
    </>
  )
}

/** What matters once the course is chosen. Beside the texts on wide screens; the plan of the site, which loads late, last. */
function More({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const conditions = textInLanguage(language, course.conditions, course.conditions2)
  const todayMs = useToday()
  const hasNoPlace = course.cancelled || isFullyBooked(course, todayMs)
  return (
    <Stack gap="l" className={classes.more}>
      {course.dates.length > 0 && <CourseDates course={course} />}
      {hasNoPlace && <CourseAlternatives course={course} />}
      {conditions && (
        <section>
          <h2>{t('details.conditions')}</h2>
          <CleanHtml html={conditions} className={styles({ width: 'reading' })} />
        </section>
      )}
      <Text tone="muted" flush>
        {t('details.conditionsHint')}{' '}
        <Link className={styles({ py: 's' })} href="/teilnahmebedingung">
          {t('details.conditionsLink')}
        </Link>
        .
      </Text>
      <VenueDirections course={course} />
    </Stack>
  )
}

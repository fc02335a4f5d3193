import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDate, formatTime, nameInLanguage } from '#contract/words.ts'
import { WaiverProgress } from '#features/courses/components/waiver-progress.tsx'
import { isCourseOver } from '#features/courses/model.ts'
import { useCourseIndex, useSeasons } from '#features/courses/resource.ts'
import { useFollowSubscriptions } from '#features/reminders/resource.ts'
import { weekdayOf } from '#lib/format.ts'
import { shareLink } from '#lib/share-link.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Box, Card, Row, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { bookingStartsOf } from './plan-model.ts'

function Part({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <Card>
      <Text as="h2" variant="heading">
        {title}
      </Text>
      <Box as="ul" divided>
        {children}
      </Box>
    </Card>
  )
}

function CourseLink({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  return (
    <li>
      <Link href={href} className={styles({ base: 'tapTarget', justify: 'between', quiet: true, layout: 'row' })}>
        <Text as="b" grow>
          {name}
        </Text>
        {children}
      </Link>
    </li>
  )
}

/** Shares the courses of the plan as a link to the course list, which names no person. */
function SharePlanButton({ own }: { own: readonly Course[] }) {
  const { t } = useTranslation(['plan', 'courses'])
  const todayMs = useToday()
  const courses = own
    .filter(course => !course.cancelled && !isCourseOver(course, todayMs))
    .map(({ number }) => `"${number}"`)
  if (courses.length === 0) return null
  const share = () => {
    const query = new URLSearchParams({ q: courses.join(' ') })
    const link = { title: t('shareTitle'), url: `${window.location.origin}/courses?${query}` }
    return shareLink(link, { copied: t('courses:details.shared'), failed: t('courses:details.shareFailed') })
  }
  return (
    <Button look="text" onClick={share}>
      {t('share')}
    </Button>
  )
}

/** Side column of the plan: waiting list, followed courses and past courses. */
export function PlanAside({ own }: { own: readonly Course[] }) {
  const { t } = useTranslation(['plan', 'own-bookings', 'courses', 'shell'])
  const language = useLanguage()
  const follows = useFollowSubscriptions(state => state.data)
  const courses = useCourseIndex(state => state.data)
  const seasons = useSeasons(state => state.data)
  const openings = bookingStartsOf(follows, courses, seasons, useLocalTimeMs(), language)
  useEffect(() => {
    if (useFollowSubscriptions.getState().phase === 'loading') useFollowSubscriptions.load()
  }, [])
  const waiting = own.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Waitinglist)
  const todayMs = useToday()
  const attended = own.filter(
    course =>
      course.bookingStatus === BOOKING_STATUS.Booked &&
      !isCourseOver(course, todayMs) &&
      (course.attendance?.planned ?? 0) > 0,
  )
  const toCourse = (course: Course, children: ReactNode) => (
    <CourseLink key={course.id} href={`/course-details/${course.id}`} name={nameInLanguage(language, course)}>
      {children}
    </CourseLink>
  )
  return (
    <Stack as="aside" aria-label={t('own-bookings:mine.title')}>
      <Part title={t('attendance')}>
        {attended.map(course => toCourse(course, <WaiverProgress course={course} />))}
      </Part>
      <Part title={t('waitingTitle')}>
        {waiting.map(course => toCourse(course, t('position', { position: course.waitingListPosition })))}
      </Part>
      <Part title={t('openings')}>
        {openings.map(({ key, name, opensAt, href }) => (
          <CourseLink key={key} href={href} name={name}>
            {t('opensAt', {
              day: t(`courses:day.short.${weekdayOf(opensAt)}`),
              date: formatDate(opensAt),
              time: formatTime(opensAt),
            })}
          </CourseLink>
        ))}
      </Part>
      <Row as="nav" aria-label={t('shell:nav.tabs')}>
        <Link href="/reminders" className={styles({ base: 'actionLink' })}>
          {t('calendar')}
        </Link>
        <SharePlanButton own={own} />
      </Row>
    </Stack>
  )
}

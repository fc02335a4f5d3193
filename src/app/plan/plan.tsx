import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import { CancelledCourses } from '#features/bookings/components/cancelled-courses.tsx'
import { NextLessonCard } from '#features/bookings/components/next-lesson-card.tsx'
import { PendingBookings } from '#features/bookings/components/pending-bookings.tsx'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { formatLessonChange } from '#features/courses/change-model.ts'
import { findNextLesson } from '#features/courses/lesson-model.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { focusHeading } from '#lib/focus.ts'
import { toLocalTimeMs } from '#lib/format.ts'
import { withProgress } from '#lib/progress.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useIsTimeoutPending, useLocalTimeMs, useToday } from '#lib/use-now.ts'
import { AsOfLine, useAsOfText } from '#ui/as-of-line.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Notice, Row, Stack, Text } from '#ui/layout.tsx'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { Skeleton, TallSkeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { LessonRows } from './lesson-rows.tsx'
import classes from './plan.module.css'
import { PlanAside } from './plan-aside.tsx'
import {
  DAY_MS,
  excludeNextLessons,
  PLAN_DAYS_AHEAD,
  type PlanLesson,
  planChangesOf,
  planDaysWithin,
  planLessonsOf,
} from './plan-model.ts'

async function tryAgain(): Promise<void> {
  await withProgress(useBookedCourses.load())
  // The button disappears together with the content that it loaded.
  if (document.activeElement === document.body) focusHeading()
}

/**
 * Shown if the plan is neither cached nor available from the server, with a retry button and a link to the cached
 * courses.
 */
function PlanUnavailable({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useTranslation(['plan', 'content'])
  const count = useCourseIndex(state => state.data.length)
  const asOf = useAsOfText(
    useCourseIndex(state => state.asOf),
    useCourseIndex(state => state.isStale),
  )
  return (
    <ErrorState title={t(hasFailed ? 'failed' : 'late')} text={t('missing')} onRetry={tryAgain}>
      {count > 0 && (
        <ButtonLink href="/courses">
          {t('content:home.all', { count })}
          {asOf && <small>{asOf}</small>}
        </ButtonLink>
      )}
    </ErrorState>
  )
}

function PlanChanges({ own, taught }: { own: readonly Course[]; taught: readonly Course[] }) {
  const { t } = useTranslation('plan')
  const { t: say } = useTranslation('courses')
  const language = useLanguage()
  const todayMs = useToday()
  const courses = [...taught, ...own.filter(({ id }) => !taught.some(course => course.id === id))]
  const said = [
    ...courses
      .filter(({ cancelled }) => cancelled)
      .map(course => ({ course, text: t('allOff', { name: nameInLanguage(language, course) }) })),
    ...planChangesOf(courses, todayMs).map(({ course, change }) => ({
      course,
      text: `${nameInLanguage(language, course)}: ${formatLessonChange(change, say, language)}`,
    })),
  ]
  if (said.length === 0) return null
  return (
    <Notice as="section">
      <Text as="h2" variant="heading">
        {t('changes')}
      </Text>
      <ul>
        {said.map(({ course, text }) => (
          <li key={text}>
            <Link href={`/course-details/${course.id}`} className={styles({ base: 'tapTarget', quiet: true })}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Loading time in ms after which the page reports a problem. */
const PATIENCE_MS = 4_000

type Props = {
  /** courses that the user teaches */
  taught: readonly Course[]
  listAddress: (courseId: number, startsAt: DateTimeValue) => string
  /** how long the next participant list stays visible after its lesson has ended, in ms */
  listStaysMs?: number
  /** content above everything else */
  children?: ReactNode
}

/**
 * Personal plan: upcoming lessons by day, with changes above them, and the waiting list and past courses beside them.
 */
export function Plan({ taught, listAddress, listStaysMs, children }: Props) {
  const { t } = useTranslation(['plan', 'own-bookings'])
  const { data: own, phase, asOf, isStale } = useBookedCourses()
  const isPatient = useIsTimeoutPending(PATIENCE_MS)
  const [hasFailed, setHasFailed] = useState(false)
  const todayMs = useToday()
  const now = useLocalTimeMs()
  const withPlace = own.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked)
  const shown = [
    { part: 'booked', lesson: findNextLesson(withPlace, now) },
    { part: 'taught', lesson: findNextLesson(taught, now, listStaysMs) },
  ] as const
  const plan = useMemo(() => planLessonsOf(own, taught, listAddress), [own, taught, listAddress])
  useEffect(() => {
    useBookedCourses.load()
  }, [])

  const isKnown = phase === 'ready'
  if (phase === 'failed' && !hasFailed) setHasFailed(true)
  // The plan is rendered only once it is complete, to prevent layout shift. An error message stays visible during a
  // retry.
  if (phase === 'loading' && isPatient && !hasFailed) return <TallSkeleton />
  return (
    <Stack as="section" gap="xl" className={isKnown ? classes.plan : ''} aria-label={t('title')}>
      <Stack>
        <CancelledCourses isUnseenOnly />
        <PendingBookings />
        {children}
        {isKnown ? <NextLessonCard /> : <PlanUnavailable hasFailed={hasFailed} />}
        <AsOfLine asOf={asOf} isStale={isStale} isBeside />
        <PlanChanges own={own} taught={taught} />
        {plan.length > 0 && <PlanDays plan={plan} todayMs={todayMs} rest={excludeNextLessons(plan, shown)} />}
        {plan.length === 0 && isKnown && (
          <Stack gap="s" flush>
            <h2>{t('own-bookings:mine.emptyTitle')}</h2>
            <Text tone="muted">{t('own-bookings:mine.emptyText')}</Text>
          </Stack>
        )}
      </Stack>
      {isKnown && <PlanAside own={own} />}
    </Stack>
  )
}

const { screen: PlanMonth } = lazyComponent(
  () => import('./plan-month.tsx').then(m => m.PlanMonth),
  <Skeleton rows={1} height={320} />,
)

type PlanDaysProps = {
  plan: readonly PlanLesson[]
  todayMs: number
  /** lessons that the cards above do not already show */
  rest: readonly PlanLesson[]
}

function PlanDays({ plan, rest, todayMs }: PlanDaysProps) {
  const { t } = useTranslation('plan')
  const [isMonth, setIsMonth] = useState(false)
  const endMs = todayMs + (PLAN_DAYS_AHEAD + 1) * DAY_MS
  const days = planDaysWithin(rest, todayMs, endMs)
  const isNextSoon = planDaysWithin(plan, todayMs, endMs).length > 0
  return (
    <Stack as="section">
      <Row justify="between" flush>
        <h2>{t('title')}</h2>
        <Row as="fieldset" bare aria-label={t('span')}>
          <Button look="quiet" isPill aria-pressed={!isMonth} onClick={() => setIsMonth(false)}>
            {t('days')}
          </Button>
          <Button look="quiet" isPill aria-pressed={isMonth} onClick={() => setIsMonth(true)}>
            {t('month')}
          </Button>
        </Row>
      </Row>
      {isMonth ? (
        <PlanMonth plan={plan} todayMs={todayMs} />
      ) : (
        <>
          {days.length === 0 && (
            <Text tone="muted" flush>
              {t(isNextSoon ? 'nothingElse' : 'nothing')}
            </Text>
          )}
          {days.map(day => (
            <LessonRows key={toLocalTimeMs(day.day)} {...day} todayMs={todayMs} />
          ))}
        </>
      )}
    </Stack>
  )
}

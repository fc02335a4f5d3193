import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#components/as-of-line.tsx'
import { Stack, Text } from '#components/layout.tsx'
import { TallSkeleton } from '#components/skeleton.tsx'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { NextLessonCard } from '#features/bookings/components/next-lesson-card.tsx'
import { PendingBookings } from '#features/bookings/components/pending-bookings.tsx'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { nextLesson } from '#features/courses/lesson-model.ts'
import { useToday, useWallClock, useWithinTimeout } from '#lib/use-now.ts'
import classes from './plan.module.css'
import { PlanAside } from './plan-aside.tsx'
import { PlanChanges } from './plan-changes.tsx'
import { PlanDays } from './plan-days.tsx'
import { planOf, withoutNext } from './plan-model.ts'
import { PlanUnavailable } from './plan-unavailable.tsx'

/** Loading time after which the page reports a problem. */
const PATIENCE_MS = 4_000

type Props = {
  /** courses the user teaches */
  taught: readonly Course[]
  listAddress: (courseId: number, startsAt: DateTimeValue) => string
  /** ms the next participant list stays after the end of its lesson */
  listStaysMs?: number
  /** above everything else */
  children?: ReactNode
}

/** Upcoming lessons by day; changes above, waiting list and past courses beside. */
export function Plan({ taught, listAddress, listStaysMs, children }: Props) {
  const { t } = useTranslation(['plan', 'own-bookings'])
  const { data: own, phase, asOf, isStale } = useBookedCourses()
  const isPatient = useWithinTimeout(PATIENCE_MS)
  const [hasFailed, setHasFailed] = useState(false)
  const todayMs = useToday()
  const now = useWallClock()
  const withPlace = own.filter(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Booked)
  const shown = [
    { part: 'booked', lesson: nextLesson(withPlace, now) },
    { part: 'taught', lesson: nextLesson(taught, now, listStaysMs) },
  ] as const
  const plan = useMemo(() => planOf(own, taught, listAddress), [own, taught, listAddress])
  useEffect(() => {
    useBookedCourses.load()
  }, [])

  const isKnown = phase === 'ready'
  if (phase === 'failed' && !hasFailed) setHasFailed(true)
  // Renders only when complete, to prevent layout shift. During a retry the error message stays.
  if (phase === 'loading' && isPatient && !hasFailed) return <TallSkeleton />
  return (
    <Stack as="section" gap="xl" className={isKnown ? classes.plan : ''} aria-label={t('title')}>
      <Stack>
        <PendingBookings />
        {children}
        {isKnown ? <NextLessonCard /> : <PlanUnavailable hasFailed={hasFailed} />}
        <AsOfLine asOf={asOf} isStale={isStale} isBeside />
        <PlanChanges own={own} taught={taught} />
        {plan.length > 0 && <PlanDays plan={plan} todayMs={todayMs} rest={withoutNext(plan, shown)} />}
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

import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#components/as-of-line.tsx'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { NextLessonCard } from '#features/bookings/components/next-lesson-card.tsx'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { nextLesson } from '#features/courses/lesson-model.ts'
import { useToday, useWallClock } from '#lib/use-now.ts'
import classes from './plan.module.css'
import { PlanAside } from './plan-aside.tsx'
import { PlanChanges } from './plan-changes.tsx'
import { PlanDays } from './plan-days.tsx'
import { planOf, withoutNext } from './plan-model.ts'

type Props = {
  /** what the person teaches */
  taught: readonly Course[]
  listAddress: (courseId: number, startsAt: DateTimeValue) => string
  /** how long their next list stays after its end */
  listStaysMs?: number
  /** before everything else */
  children?: ReactNode
}

/** What comes, day by day; what has changed before it, what one waits for and has done beside it. */
export function Plan({ taught, listAddress, listStaysMs, children }: Props) {
  const { t } = useTranslation(['plan', 'bookings'])
  const own = useBookedCourses(state => state.data)
  const phase = useBookedCourses(state => state.phase)
  const asOf = useBookedCourses(state => state.asOf)
  const isStale = useBookedCourses(state => state.isStale)
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

  // Nothing takes its place before all of it can: nothing moves.
  if (phase === 'loading') return <div className={piece('tall')} />
  if (phase === 'failed' && taught.length === 0)
    return <ErrorState title={t('bookings:mine.failed')} onRetry={useBookedCourses.load} />
  return (
    <section className={`${piece('stack', 'apart')} ${classes.plan}`} aria-label={t('title')}>
      <div className={piece('stack')}>
        {children}
        <NextLessonCard />
        <AsOfLine asOf={asOf} isStale={isStale} />
        <PlanChanges own={own} taught={taught} />
        {plan.length > 0 && <PlanDays plan={plan} todayMs={todayMs} rest={withoutNext(plan, shown)} />}
        {plan.length === 0 && (
          <EmptyState title={t('bookings:mine.emptyTitle')} text={t('bookings:mine.emptyText')}>
            <ButtonLink href="/courses" look="primary">
              {t('bookings:mine.emptyAction')}
            </ButtonLink>
          </EmptyState>
        )}
      </div>
      <PlanAside own={own} />
    </section>
  )
}

import { type TouchEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDayMonth } from '#contract/words.ts'
import { CourseListError, CourseListSkeleton } from '#features/courses/components/list-states.tsx'
import { fromLocalTimeMs } from '#lib/format.ts'
import { useToday } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Row, Text } from '#ui/layout.tsx'
import { IconChevronLeft, IconChevronRight } from '#ui/shell-icons.ts'
import { useListView } from '../list-view-store.ts'
import type { ListedCourse } from '../model.ts'
import { useCourses, useCourseTexts } from '../resource.ts'
import classes from './week-grid.module.css'
import { WeekGrid } from './week-grid.tsx'
import { addDays, findNextLessonDay, layOutLessonDays, mondayOf, weekNumberOf } from './week-model.ts'

/** Minimum horizontal distance of a swipe in px. */
const SWIPE = 60

/** Detects horizontal swipes. Calls back with 1 for a swipe to the left and -1 for one to the right. */
function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      start.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!touch || !start.current) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
  }
}

type Props = {
  courses: readonly ListedCourse[]
  /** true for a week, false for a single day (on phones) */
  isWeek: boolean
  onOpen: ((id: number) => void) | null
}

/** Calendar of a week or a day, with the lessons of the listed courses and of the user's own courses. */
export function WeekView({ courses, isWeek, onOpen }: Props) {
  const { t } = useTranslation(['course-list', 'courses'])
  const todayMs = useToday()
  const dayMs = useListView(state => state.dayMs) ?? todayMs
  const all = useCourses()
  const lessons = useCourseTexts(state => state.data)
  const phase = useCourseTexts(state => state.phase)
  const shown = useMemo(
    () => [...new Set([...courses, ...all.filter(({ bookingStatus }) => bookingStatus !== BOOKING_STATUS.NotBooked)])],
    [courses, all],
  )
  const from = isWeek ? mondayOf(dayMs) : dayMs
  const days = useMemo(() => layOutLessonDays(shown, lessons, from, isWeek ? 7 : 1), [shown, lessons, from, isWeek])
  const go = (to: number) => useListView.setState({ dayMs: to === todayMs ? null : to })
  const step = (count: number) => go(addDays(dayMs, count * (isWeek ? 7 : 1)))
  const swipe = useSwipe(step)

  if (phase === 'loading') return <CourseListSkeleton />
  if (phase === 'failed') return <CourseListError />
  const isEmpty = days.every(day => day.lessons.length === 0)
  const next = isEmpty ? findNextLessonDay(shown, lessons, addDays(from, days.length)) : null
  const [first, last] = [from, addDays(from, 6)].map(ms => formatDayMonth(fromLocalTimeMs(ms)))
  const title = isWeek
    ? t('week.title', { week: weekNumberOf(from), from: first, to: last })
    : t('week.dayTitle', {
        day: t(`courses:day.long.${new Date(from).getUTCDay()}`),
        date: first,
        week: weekNumberOf(from),
      })
  return (
    <section className={classes.view} aria-label={title}>
      <Row gap="s" className={classes.bar}>
        <Button isPill aria-label={t(isWeek ? 'week.previous' : 'week.previousDay')} onClick={() => step(-1)}>
          <IconChevronLeft size={20} />
        </Button>
        <Text as="h3" variant="heading" flush aria-live="polite">
          {title}
        </Text>
        <Button isPill aria-label={t(isWeek ? 'week.next' : 'week.nextDay')} onClick={() => step(1)}>
          <IconChevronRight size={20} />
        </Button>
        <Button look="quiet" isPill onClick={() => go(todayMs)}>
          {t('week.today')}
        </Button>
      </Row>
      <div {...(isWeek ? {} : swipe)} className={classes.body}>
        {isEmpty ? (
          <Row as="p">
            {t(isWeek ? 'week.empty' : 'week.emptyDay')}
            {next !== null && (
              <Button look="text" onClick={() => go(next)}>
                {t('week.toNext', { date: formatDayMonth(fromLocalTimeMs(next)) })}
              </Button>
            )}
          </Row>
        ) : (
          <WeekGrid days={days} isWeek={isWeek} onOpen={onOpen} />
        )}
      </div>
    </section>
  )
}

import type { Course, LessonChange } from '#contract/endpoints/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatTime } from '#contract/words.ts'
import { fromLocalTimeMs, toLocalTimeMs, weekdayOf } from '#lib/format.ts'

const DAY_MS = 86_400_000

/** `off`: a usual day without a lesson, because of a holiday or because the lesson was cancelled or moved */
export type CourseDay = {
  date: DateTimeValue
  state: 'past' | 'today' | 'ahead' | 'off'
  /** start time of the lesson if it differs from the usual one */
  time: string | null
  /** whether to name the weekday: the lesson is not on a usual weekday, or the course has several weekdays */
  isDayNamed: boolean
}
export type CourseMonth = { year: number; month: number; days: CourseDay[] }

type Dated = Pick<Course, 'dates' | 'changes' | 'weekdays' | 'startTime'>

const midnightOf = (date: DateTimeValue) => Math.floor(toLocalTimeMs(date) / DAY_MS) * DAY_MS
const isMoment = (value: LessonChange['from']): value is DateTimeValue => typeof value === 'object' && value !== null

/**
 * Finds the usual days between the first and the last lesson on which no lesson is held. Returns none for courses that
 * meet less often than weekly, where a day without a lesson is normal.
 */
function findGaps({ dates, weekdays }: Dated, held: ReadonlySet<number>): number[] {
  const days = [...held].sort((a, b) => a - b)
  const [first = 0, last = 0] = [days[0], days.at(-1)]
  const gaps: number[] = []
  for (let day = first; day < last; day += DAY_MS)
    if (!held.has(day) && weekdays.includes(weekdayOf(fromLocalTimeMs(day)))) gaps.push(day)
  return gaps.length * 2 < dates.length ? gaps : []
}

/**
 * The days of a course, grouped by month in chronological order.
 * @param todayMs midnight at the start of today in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function courseMonthsOf(course: Dated, todayMs: number): CourseMonth[] {
  const { dates, changes, weekdays, startTime } = course
  const usual = formatTime(startTime)
  const held = new Set(dates.map(midnightOf))
  const off = changes.flatMap(({ kind, at, from }) =>
    kind === 'cancelled' ? [midnightOf(at)] : kind === 'moved' && isMoment(from) ? [midnightOf(from)] : [],
  )
  const missing = new Set([...off, ...findGaps(course, held)].filter(day => !held.has(day)))
  const nameDay = (date: DateTimeValue) => weekdays.length !== 1 || weekdays[0] !== weekdayOf(date)
  const days: CourseDay[] = [
    ...dates.map((date): CourseDay => {
      const day = midnightOf(date)
      const time = formatTime(date)
      return {
        date,
        state: day < todayMs ? 'past' : day === todayMs ? 'today' : 'ahead',
        time: time === usual || time === '00:00' ? null : time,
        isDayNamed: nameDay(date),
      }
    }),
    ...[...missing].map((day): CourseDay => {
      const date = fromLocalTimeMs(day)
      return { date, state: 'off', time: null, isDayNamed: nameDay(date) }
    }),
  ].sort((a, b) => toLocalTimeMs(a.date) - toLocalTimeMs(b.date))
  const byMonth = Map.groupBy(days, ({ date: { year, month } }) => year * 12 + month)
  return [...byMonth.values()].map(all => {
    const { year = 0, month = 0 } = all[0]?.date ?? {}
    return { year, month, days: all }
  })
}

/**
 * Number of past lessons and of all lessons while the course is running; null before the first and after the last
 * lesson.
 */
export function lessonProgressOf(
  { dates }: Pick<Course, 'dates'>,
  todayMs: number,
): { past: number; all: number } | null {
  const past = dates.filter(date => midnightOf(date) < todayMs).length
  return past > 0 && past < dates.length ? { past, all: dates.length } : null
}

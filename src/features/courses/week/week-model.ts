import type { CourseTexts } from '#contract/endpoints/courses.ts'
import { lessonStartTimesOf } from '#contract/lessons.ts'
import { weekdayIndex } from '#contract/words.ts'
import { minuteOfDay } from '#features/courses/search/time-of-day-model.ts'
import { toLocalTimeMs } from '#lib/format.ts'
import { ownPlaceOf } from '../lesson-model.ts'
import type { ListedCourse } from '../model.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const HOUR = 60
/** Minimum length of a displayed lesson in minutes, used if the start and end times of a course are the same. */
const SHORTEST = 15

/**
 * A lesson placed in the week grid. Times are minutes since midnight; `lane` is its column among overlapping lessons,
 * and `lanes` is the number of columns it spans.
 */
export type WeekGridLesson = {
  key: string
  course: ListedCourse
  from: number
  to: number
  isCancelled: boolean
  place: string
  lane: number
  lanes: number
}
export type WeekGridDay = { dayMs: number; lanes: number; lessons: readonly WeekGridLesson[] }

export type WeekLessons = ReadonlyMap<number, Pick<CourseTexts, 'dates' | 'changes'>>

/**
 * Monday of the week that contains a day.
 * @param dayMs midnight in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export const mondayOf = (dayMs: number): number => dayMs - weekdayIndex(new Date(dayMs).getUTCDay()) * DAY_MS

/**
 * ISO 8601 week number.
 * @param dayMs midnight in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function weekNumberOf(dayMs: number): number {
  const thursday = mondayOf(dayMs) + 3 * DAY_MS
  return 1 + Math.floor((thursday - Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1)) / (7 * DAY_MS))
}

export const addDays = (dayMs: number, days: number): number => dayMs + days * DAY_MS

type Start = { startMs: number; isCancelled: boolean }

/**
 * Start times of the scheduled lessons and of future lessons that have been cancelled. In a cancelled course, all
 * lessons are considered cancelled.
 */
function startsOf(course: ListedCourse, { dates, changes = [] }: Pick<CourseTexts, 'dates' | 'changes'>): Start[] {
  const { startTime } = course
  const cancelled = changes.filter(({ kind }) => kind === 'cancelled').map(({ at }) => at)
  const startsIn = (of: typeof dates, isCancelled: boolean) =>
    lessonStartTimesOf({ dates: of, startTime }).map(start => ({ startMs: toLocalTimeMs(start), isCancelled }))
  return [...startsIn(dates, course.cancelled), ...startsIn(cancelled, true)]
}

/** Places the lessons of one day, with overlapping ones side by side. */
function placeLessons(lessons: Omit<WeekGridLesson, 'lane' | 'lanes'>[]): Pick<WeekGridDay, 'lanes' | 'lessons'> {
  const sorted = lessons.toSorted((a, b) => a.from - b.from || b.to - a.to)
  const ends: number[] = []
  const placed = sorted.map(lesson => {
    const free = ends.findIndex(end => end <= lesson.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = lesson.to
    return { ...lesson, lane }
  })
  const total = Math.max(1, ends.length)
  return {
    lanes: total,
    // Each lesson spans all lanes up to that of the next lesson that overlaps it.
    lessons: placed.map(lesson => {
      const beside = placed.filter(({ lane, from, to }) => lane > lesson.lane && from < lesson.to && lesson.from < to)
      return { ...lesson, lanes: Math.min(total, ...beside.map(({ lane }) => lane)) - lesson.lane }
    }),
  }
}

/**
 * Lays out the lessons of consecutive days in lanes.
 * @param fromMs midnight at the start of the first day in the portal's time zone, in the unit of `toLocalTimeMs`
 */
export function layOutLessonDays(
  courses: readonly ListedCourse[],
  lessonsOf: WeekLessons,
  fromMs: number,
  days: number,
): WeekGridDay[] {
  const found = Array.from({ length: days }, (): Omit<WeekGridLesson, 'lane' | 'lanes'>[] => [])
  for (const course of courses) {
    const lessons = lessonsOf.get(course.id)
    if (!lessons) continue
    const { hour, minute } = course.endTime
    const length = hour * HOUR + minute - minuteOfDay(course)
    for (const { startMs, isCancelled } of startsOf(course, lessons)) {
      const day = Math.floor((startMs - fromMs) / DAY_MS)
      const from = (startMs - fromMs - day * DAY_MS) / MINUTE_MS
      const to = Math.min(24 * HOUR, from + (length > 0 ? length : SHORTEST))
      const place = ownPlaceOf(lessons, startMs) ?? (course.venue || course.city)
      found[day]?.push({ key: `${course.id} ${startMs}`, course, from, to, isCancelled, place })
    }
  }
  return found.map((lessons, index) => ({ dayMs: addDays(fromMs, index), ...placeLessons(lessons) }))
}

/**
 * Midnight at the start of the first day with a lesson, on or after the given day; used to skip weeks without lessons.
 * Null if there is none.
 */
export function findNextLessonDay(
  courses: readonly ListedCourse[],
  lessonsOf: WeekLessons,
  fromMs: number,
): number | null {
  let next = Number.POSITIVE_INFINITY
  for (const course of courses) {
    const lessons = lessonsOf.get(course.id)
    for (const { startMs } of lessons ? startsOf(course, lessons) : [])
      if (startMs >= fromMs && startMs < next) next = startMs
  }
  return Number.isFinite(next) ? next - (next % DAY_MS) : null
}

/**
 * Time axis of a grid: whole hours around the lessons, in minutes since midnight, divided into rows of the same length so
 * that lessons start and end between rows. Null without lessons.
 */
export type WeekGridAxis = { first: number; last: number; step: number }

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

export function weekGridAxisOf(days: readonly WeekGridDay[]): WeekGridAxis | null {
  const lessons = days.flatMap(day => day.lessons)
  if (lessons.length === 0) return null
  const first = Math.floor(Math.min(...lessons.map(({ from }) => from)) / HOUR) * HOUR
  const last = Math.ceil(Math.max(...lessons.map(({ to }) => to)) / HOUR) * HOUR
  return { first, last, step: lessons.flatMap(({ from, to }) => [from, to]).reduce(greatestCommonDivisor, HOUR) }
}

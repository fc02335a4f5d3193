import type { Course } from '#contract/courses.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import { wallClockMs } from '#lib/format.ts'

/** Below this the countdown is red. */
export const LAST_MINUTES_MS = 180_000

/** The marks at which the remaining time is read out, in seconds. */
const SPOKEN_MARKS = [600, 300, 180, 60, 30, 10]

/** The mark just reached, or null: a screen reader hears a few words, not every second. */
export const spokenMark = (remainingMs: number): number | null => {
  const seconds = Math.ceil(remainingMs / 1000)
  return SPOKEN_MARKS.includes(seconds) ? seconds : null
}

type Timed = Pick<Course, 'id' | 'weekdays' | 'start' | 'end' | 'startTime' | 'endTime'> & {
  dates: readonly DateTimeValue[]
}

const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute

/** Whether two courses meet at the same time: on a date both have, or, where dates are unknown, on the same weekday. */
export function isOverlapping(a: Timed, b: Timed): boolean {
  const isSameHour = minutesOf(a.startTime) < minutesOf(b.endTime) && minutesOf(b.startTime) < minutesOf(a.endTime)
  if (!isSameHour) return false
  if (a.dates.length > 0 && b.dates.length > 0) {
    const days = new Set(a.dates.map(formatDate))
    return b.dates.some(date => days.has(formatDate(date)))
  }
  const isSamePeriod = wallClockMs(a.start) <= wallClockMs(b.end) && wallClockMs(b.start) <= wallClockMs(a.end)
  return isSamePeriod && a.weekdays.some(day => b.weekdays.includes(day))
}

/** The first of a person's own courses that meets at the same time. */
export const findOverlap = <Own extends Timed>(course: Timed, own: readonly Own[]): Own | null =>
  own.find(other => other.id !== course.id && isOverlapping(course, other)) ?? null

type Candidate = Pick<
  Course,
  | 'id'
  | 'courseCategoryId'
  | 'seasonId'
  | 'weekdays'
  | 'startTime'
  | 'city'
  | 'participants'
  | 'currentParticipants'
  | 'bookingStatus'
  | 'start'
>

/**
 * A course to fall back on: same category and season, a free place, another time; the same city and weekday first, then the
 * closest hour.
 */
export function findAlternative<C extends Candidate>(course: Candidate, all: readonly C[]): C | null {
  const distance = (other: C) =>
    (other.city === course.city ? 0 : 10_000) +
    (other.weekdays.some(day => course.weekdays.includes(day)) ? 0 : 2000) +
    Math.abs(minutesOf(other.startTime) - minutesOf(course.startTime))
  const fitting = all.filter(
    other =>
      other.id !== course.id &&
      other.courseCategoryId === course.courseCategoryId &&
      other.seasonId === course.seasonId &&
      other.bookingStatus === BOOKING_STATUS.NotBooked &&
      other.participants > other.currentParticipants,
  )
  return fitting.sort((a, b) => distance(a) - distance(b))[0] ?? null
}

/** The booked courses by their next start, those that are over apart, the last one first. */
export function sortBooked<C extends Pick<Course, 'start' | 'end'>>(courses: readonly C[], nowWallMs: number) {
  const byStart = courses.toSorted((a, b) => wallClockMs(a.start) - wallClockMs(b.start))
  const isPast = ({ end }: C) => wallClockMs(end) + 86_400_000 <= nowWallMs
  return { current: byStart.filter(course => !isPast(course)), past: byStart.filter(isPast).reverse() }
}

/** The login screen, which comes back to the course. */
export const loginRoute = (courseId: number): string =>
  `/login?next=${encodeURIComponent(`/course-details/${courseId}`)}`

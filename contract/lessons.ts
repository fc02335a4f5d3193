import type { Course } from './endpoints/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from './values.ts'

/** Minimum travel time in minutes between lessons at different venues, within a city and between cities. */
export const TRAVEL_MINUTES = { venue: 15, city: 30 }

const MINUTE_MS = 60_000
const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute

type Dated = Pick<Course, 'startTime' | 'dates'>

/** Start times of a course's lessons, in order. Dates without a time of day use the course's start time. */
export const lessonStartTimesOf = ({ dates, startTime: { hour, minute } }: Dated): DateTimeValue[] =>
  dates.map(date => (minutesOf(date) > 0 ? date : { ...date, hour, minute }))

/** Local time in the portal's time zone, converted to milliseconds by `Date.UTC` as if it were UTC. */
const wallMs = ({ year, month, day, hour, minute, second }: DateTimeValue) =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/**
 * Lessons that have not started yet.
 * @param nowWallMs the current local time in the portal's time zone in ms, encoded by `Date.UTC`
 */
export const futureLessonsOf = (course: Dated, nowWallMs: number): DateTimeValue[] =>
  lessonStartTimesOf(course).filter(start => wallMs(start) > nowWallMs)

/** The times and location of a course, as needed to find schedule conflicts. */
export type ScheduledCourse = Dated & Pick<Course, 'id' | 'name' | 'name2' | 'venue' | 'city' | 'endTime'>

/** Why a person cannot attend both lessons: they overlap, or there is too little time to travel between them. */
export type ClashKind = 'time' | 'travel'
export type Clash = {
  course: ScheduledCourse
  kind: ClashKind
  /** start of the lesson that conflicts with the other course */
  at: DateTimeValue
}

const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b

/** Travel time in minutes between the locations of two courses; 0 if a location is not specified. */
const travelMinutes = (a: ScheduledCourse, b: ScheduledCourse) =>
  differ(a.city, b.city) ? TRAVEL_MINUTES.city : differ(a.venue, b.venue) ? TRAVEL_MINUTES.venue : 0

/** Time spans of the future lessons, in minutes of local time. */
function spansOf(course: ScheduledCourse, nowWallMs: number) {
  const length = Math.max(1, minutesOf(course.endTime) - minutesOf(course.startTime))
  return futureLessonsOf(course, nowWallMs).map(at => ({
    at,
    start: wallMs(at) / MINUTE_MS,
    end: wallMs(at) / MINUTE_MS + length,
  }))
}

function findClash(course: ScheduledCourse, other: ScheduledCourse, nowWallMs: number): Clash | null {
  const gap = travelMinutes(course, other)
  const others = spansOf(other, nowWallMs)
  let found: Clash | null = null
  for (const { at, start, end } of spansOf(course, nowWallMs)) {
    for (const span of others) {
      if (start < span.end && span.start < end) return { course: other, kind: 'time', at }
      if (start < span.end + gap && span.start < end + gap) found ??= { course: other, kind: 'travel', at }
    }
  }
  return found
}

/**
 * Finds the person's other courses with future lessons that conflict with those of this course. The server implements
 * the same rule in SQL for its e-mails. See docs/decisions/0027.
 * @param nowWallMs the current local time in the portal's time zone in ms, encoded by `Date.UTC`
 */
export const findClashes = (course: ScheduledCourse, own: readonly ScheduledCourse[], nowWallMs: number): Clash[] =>
  own.flatMap(other => (other.id === course.id ? [] : (findClash(course, other, nowWallMs) ?? [])))

/**
 * Time until which an existing booking, or one made now, can be cancelled; null if it is unknown or past.
 * @param nowWallMs the current local time in the portal's time zone in ms, encoded by `Date.UTC`
 */
export const lastCancelDay = (
  { cancelUntil }: Pick<Course, 'cancelUntil'>,
  nowWallMs: number,
): Course['cancelUntil'] => (cancelUntil !== null && wallMs(cancelUntil) >= nowWallMs ? cancelUntil : null)

/**
 * Whether the server would accept a cancellation now, judging by cached data.
 * @param nowWallMs the current local time in the portal's time zone in ms, encoded by `Date.UTC`
 */
export const isCancellableAt = (
  course: Pick<Course, 'bookingStatus' | 'cancellabel' | 'cancelUntil'>,
  nowWallMs: number,
): boolean =>
  course.cancellabel && (course.bookingStatus !== BOOKING_STATUS.Booked || lastCancelDay(course, nowWallMs) !== null)

import type { Course } from './courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from './values.ts'

/** Minimum travel time in minutes between two lessons at different venues: within a city, and between cities. */
export const TRAVEL_MINUTES = { venue: 15, city: 30 }

const MINUTE_MS = 60_000
const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute

type Dated = Pick<Course, 'startTime' | 'dates'>

/** Start times of a course's lessons, in order. Dates without their own time use the course's start time. */
export const lessonStarts = ({ dates, startTime: { hour, minute } }: Dated): DateTimeValue[] =>
  dates.map(date => (minutesOf(date) > 0 ? date : { ...date, hour, minute }))

/** Wall-clock time in ms, encoded as if it were UTC (`Date.UTC`). */
const wallMs = ({ year, month, day, hour, minute, second }: DateTimeValue) =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** Lessons that have not started. @param nowWallMs the portal's wall-clock time as `Date.UTC`, in ms */
export const futureLessonsOf = (course: Dated, nowWallMs: number): DateTimeValue[] =>
  lessonStarts(course).filter(start => wallMs(start) > nowWallMs)

/** Time and place of a course, as required to find schedule conflicts. */
export type ScheduledCourse = Dated & Pick<Course, 'id' | 'name' | 'name2' | 'venue' | 'city' | 'endTime'>

/** Why a person cannot attend both lessons: they overlap, or the travel time is too short. */
export type ClashKind = 'time' | 'travel'
export type Clash = {
  course: ScheduledCourse
  kind: ClashKind
  /** start of the conflicting lesson of the other course */
  at: DateTimeValue
}

const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b

/** Travel minutes between the sites of two courses; 0 if one of the sites is not specified. */
const travelMinutes = (a: ScheduledCourse, b: ScheduledCourse) =>
  differ(a.city, b.city) ? TRAVEL_MINUTES.city : differ(a.venue, b.venue) ? TRAVEL_MINUTES.venue : 0

/** Time spans of the future lessons, in wall-clock minutes. */
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
 * The person's other courses whose future lessons conflict with those of a course. The server repeats this in SQL for
 * its mails.
 * See docs/decisions/0027. @param nowWallMs the portal's wall-clock time as `Date.UTC`, in ms
 */
export const findClashes = (course: ScheduledCourse, own: readonly ScheduledCourse[], nowWallMs: number): Clash[] =>
  own.flatMap(other => (other.id === course.id ? [] : (findClash(course, other, nowWallMs) ?? [])))

/**
 * Last day on which an existing booking, or one made now, can be cancelled; null: unknown or past.
 * @param nowWallMs the portal's wall-clock time as `Date.UTC`, in ms
 */
export const lastCancelDay = (
  { cancelUntil }: Pick<Course, 'cancelUntil'>,
  nowWallMs: number,
): Course['cancelUntil'] => (cancelUntil !== null && wallMs(cancelUntil) >= nowWallMs ? cancelUntil : null)

/**
 * Whether the server would accept a cancellation now, according to cached data.
 * @param nowWallMs the portal's wall-clock time as `Date.UTC`, in ms
 */
export const isCancellableAt = (
  course: Pick<Course, 'bookingStatus' | 'cancellabel' | 'cancelUntil'>,
  nowWallMs: number,
): boolean =>
  course.cancellabel && (course.bookingStatus !== BOOKING_STATUS.Booked || lastCancelDay(course, nowWallMs) !== null)

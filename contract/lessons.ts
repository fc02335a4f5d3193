import type { Course } from './courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from './values.ts'

/** Minutes that a person needs from the end of a lesson to the start of one at another venue of the city, or in another city. */
export const TRAVEL_MINUTES = { venue: 15, city: 30 }

const MINUTE_MS = 60_000
const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute

type Dated = Pick<Course, 'startTime' | 'dates'>

/** When the lessons of a course start, in their order. A date without a time of its own has the course's. */
export const lessonStarts = ({ dates, startTime: { hour, minute } }: Dated): DateTimeValue[] =>
  dates.map(date => (minutesOf(date) > 0 ? date : { ...date, hour, minute }))

/** `Date.UTC` of a wall-clock value, in ms. */
const wallMs = ({ year, month, day, hour, minute, second }: DateTimeValue) =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** The lessons that have not begun. @param nowWallMs the portal's wall clock as `Date.UTC` of its values */
export const lessonsToCome = (course: Dated, nowWallMs: number): DateTimeValue[] =>
  lessonStarts(course).filter(start => wallMs(start) > nowWallMs)

/** What tells where and when a person has to be for a course. */
export type Timed = Dated & Pick<Course, 'id' | 'name' | 'name2' | 'venue' | 'city' | 'endTime'>

/** Why a person cannot be at both lessons: they overlap, or the way between them takes too long. */
export type ClashKind = 'time' | 'travel'
export type Clash = {
  course: Timed
  kind: ClashKind
  /** the lesson that clashes with one of the other course */
  at: DateTimeValue
}

const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b

/** Minutes between two courses' sites; none where one of them is not known. */
const travelMinutes = (a: Timed, b: Timed) =>
  differ(a.city, b.city) ? TRAVEL_MINUTES.city : differ(a.venue, b.venue) ? TRAVEL_MINUTES.venue : 0

/** The lessons to come, in minutes of the wall clock. */
function spansOf(course: Timed, nowWallMs: number) {
  const length = Math.max(1, minutesOf(course.endTime) - minutesOf(course.startTime))
  return lessonsToCome(course, nowWallMs).map(at => ({
    at,
    start: wallMs(at) / MINUTE_MS,
    end: wallMs(at) / MINUTE_MS + length,
  }))
}

function findClash(course: Timed, other: Timed, nowWallMs: number): Clash | null {
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
 * The person's other courses whose lessons to come leave no time for those of a course. The server finds the same in SQL for its mails.
 * See docs/decisions/0027. @param nowWallMs the portal's wall clock as `Date.UTC` of its values
 */
export const findClashes = (course: Timed, own: readonly Timed[], nowWallMs: number): Clash[] =>
  own.flatMap(other => (other.id === course.id ? [] : (findClash(course, other, nowWallMs) ?? [])))

/** The last day to give the place back, or one booked now; null: unknown, or over. @param nowWallMs the portal's wall clock */
export const returnDay = ({ cancelUntil }: Pick<Course, 'cancelUntil'>, nowWallMs: number): Course['cancelUntil'] =>
  cancelUntil !== null && wallMs(cancelUntil) >= nowWallMs ? cancelUntil : null

/** Whether the server would take a cancellation now, as far as the device knows. @param nowWallMs the portal's wall clock */
export const isCancellableAt = (
  course: Pick<Course, 'bookingStatus' | 'cancellabel' | 'cancelUntil'>,
  nowWallMs: number,
): boolean =>
  course.cancellabel && (course.bookingStatus !== BOOKING_STATUS.Booked || returnDay(course, nowWallMs) !== null)

import type { Course } from './courses.ts'
import type { DateTimeValue } from './values.ts'

/** Minutes that a person needs from the end of a lesson to the start of one at another venue of the city, or in another city. */
export const TRAVEL_MINUTES = { venue: 15, city: 30 }

export type Timed = Pick<Course, 'id' | 'venue' | 'city' | 'startTime' | 'endTime' | 'dates'>

/** Why a person cannot be at both lessons: they overlap, or the way between them is too long. */
export type ClashKind = 'time' | 'travel'
export type Clash<C> = {
  course: C
  kind: ClashKind
  /** when the lesson starts that clashes with one of `course` */
  at: DateTimeValue
}

const MINUTE_MS = 60_000
const minutesOf = ({ hour, minute }: DateTimeValue) => hour * 60 + minute
const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b

/** Minutes between two courses' sites; none where one of them is not known. */
const travelMinutes = (a: Timed, b: Timed) =>
  differ(a.city, b.city) ? TRAVEL_MINUTES.city : differ(a.venue, b.venue) ? TRAVEL_MINUTES.venue : 0

/** The lessons still to come, in minutes of the wall clock. */
function lessonsOf({ dates, startTime, endTime }: Timed, nowWallMs: number) {
  const length = Math.max(1, minutesOf(endTime) - minutesOf(startTime))
  return dates
    .map(date => {
      // A date without a time of its own has the course's.
      const { year, month, day, hour, minute } = minutesOf(date) > 0 ? date : { ...startTime, ...dayOf(date) }
      const start = Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS
      return { date, start, end: start + length }
    })
    .filter(({ start }) => start * MINUTE_MS > nowWallMs)
}
const dayOf = ({ year, month, day }: DateTimeValue) => ({ year, month, day })

function findClash<Own extends Timed>(course: Timed, other: Own, nowWallMs: number): Clash<Own> | null {
  const gap = travelMinutes(course, other)
  const others = lessonsOf(other, nowWallMs)
  let found: Clash<Own> | null = null
  for (const lesson of lessonsOf(course, nowWallMs)) {
    for (const { start, end } of others) {
      if (lesson.start < end && start < lesson.end) return { course: other, kind: 'time', at: lesson.date }
      if (lesson.start < end + gap && start < lesson.end + gap)
        found ??= { course: other, kind: 'travel', at: lesson.date }
    }
  }
  return found
}

/**
 * The person's other courses whose lessons to come leave no time for those of a course: by their dates, so that a course of the
 * same weekday in another season, or with the holidays between, is none. The server finds the same in SQL for its mails.
 * @param nowWallMs the portal's wall clock as `Date.UTC` of its values
 */
export const findClashes = <Own extends Timed>(course: Timed, own: readonly Own[], nowWallMs: number): Clash<Own>[] =>
  own.flatMap(other => (other.id === course.id ? [] : (findClash(course, other, nowWallMs) ?? [])))

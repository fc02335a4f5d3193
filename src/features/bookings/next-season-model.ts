import type { Course } from '#contract/endpoints/courses.ts'
import { toLocalTimeMs } from '#lib/format.ts'
import { minutesOf } from './model.ts'

type Repeated = Pick<
  Course,
  'id' | 'name' | 'courseCategoryId' | 'seasonId' | 'weekdays' | 'startTime' | 'venue' | 'start' | 'end' | 'cancelled'
>

/**
 * The same course in a later season: of the same name and category, preferably on the same weekday, at the same time
 * and in the same venue, otherwise the first one. Null if there is none, or if the user has booked it.
 */
export function findNextSeason<Indexed extends Repeated>(
  course: Repeated,
  index: readonly Indexed[],
  own: readonly { id: number }[],
): Indexed | null {
  const endMs = toLocalTimeMs(course.end)
  const later = index.filter(
    ({ name, courseCategoryId, seasonId, start, cancelled }) =>
      name === course.name &&
      courseCategoryId === course.courseCategoryId &&
      seasonId !== course.seasonId &&
      toLocalTimeMs(start) > endMs &&
      !cancelled,
  )
  if (own.some(({ id }) => later.some(other => other.id === id))) return null
  const likeness = ({ weekdays, startTime, venue }: Indexed) =>
    4 * Number(weekdays.join() === course.weekdays.join()) +
    2 * Number(minutesOf(startTime) === minutesOf(course.startTime)) +
    Number(venue === course.venue)
  const [first] = later.toSorted(
    (a, b) => likeness(b) - likeness(a) || toLocalTimeMs(a.start) - toLocalTimeMs(b.start) || a.id - b.id,
  )
  return first ?? null
}

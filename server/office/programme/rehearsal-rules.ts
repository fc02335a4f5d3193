import type { Rehearsal, RehearsedCourse } from '#contract/office/rehearsal.ts'
import type { SeasonCourse } from './rehearsal-repository.ts'

type Basis = RehearsedCourse['basis']

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const hourOf = ({ startTime }: SeasonCourse) => Number(startTime.slice(0, 2))
const slotOf = (course: SeasonCourse) => `${course.categoryId} ${course.weekday} ${hourOf(course)}`

/**
 * Assigns the courses of an earlier season to those of a draft: to the copy, or else to a course of the same category,
 * weekday and hour.
 * @returns course of the draft by id of the earlier course
 */
export function assignDemand(
  earlier: readonly SeasonCourse[],
  draft: readonly SeasonCourse[],
): Map<number, { course: SeasonCourse; basis: NonNullable<Basis> }> {
  const copies = new Map(draft.map(course => [course.copiedFromId, course]))
  const bySlot = Map.groupBy(draft, slotOf)
  const assigned = new Map<number, { course: SeasonCourse; basis: NonNullable<Basis> }>()
  for (const course of earlier) {
    const copy = copies.get(course.id)
    const similar = bySlot.get(slotOf(course)) ?? []
    const sameCity = similar.filter(({ city }) => city === course.city)
    const found = copy ?? sameCity.find(({ startTime }) => startTime === course.startTime) ?? sameCity[0] ?? similar[0]
    if (found) assigned.set(course.id, { course: found, basis: copy ? 'copy' : 'similar' })
  }
  return assigned
}

/** What the booking statement answered to a request. */
export type Outcome = {
  courseId: number
  person: number
  afterMs: number
  state: 'booked' | 'waiting' | 'refused'
  /** occupied seats and waiting-list entries after the request */
  taken: number
}

const overlaps = (a: SeasonCourse, b: SeasonCourse) =>
  a.weekday === b.weekday && a.startTime < b.endTime && b.startTime < a.endTime

/** Distance between two courses: the site first, then the time of the week in hours. */
function distanceBetween(a: SeasonCourse, b: SeasonCourse): number {
  const days = Math.abs(a.weekday - b.weekday)
  const minutes = Math.abs(minuteOf(a.startTime) - minuteOf(b.startTime))
  return (a.city === b.city ? 0 : 1_000) + Math.min(days, 7 - days) * 24 + minutes / 60
}

/**
 * Gives people without a place, in the order of their requests, a remaining place in the nearest course of the same
 * category that does not overlap with one in which they have a place.
 * @returns id of the neighbouring course by index of the outcome; null if there is none
 */
function findNeighbours(outcomes: readonly Outcome[], courses: ReadonlyMap<number, SeasonCourse>) {
  const free = new Map([...courses.values()].map(({ id, capacity, taken }) => [id, capacity - taken]))
  const places = new Map<number, SeasonCourse[]>()
  const take = (person: number, course: SeasonCourse) => {
    free.set(course.id, (free.get(course.id) ?? 0) - 1)
    places.set(person, [...(places.get(person) ?? []), course])
  }
  for (const { state, person, courseId } of outcomes) {
    const course = courses.get(courseId)
    if (course && state === 'booked') take(person, course)
  }
  const byCategory = Map.groupBy(courses.values(), ({ categoryId }) => categoryId)
  const neighbours = new Map<number, SeasonCourse[]>()
  const nearestOf = (course: SeasonCourse) => {
    const own = (byCategory.get(course.categoryId) ?? []).filter(({ id }) => id !== course.id)
    const nearest =
      neighbours.get(course.id) ?? own.toSorted((a, b) => distanceBetween(course, a) - distanceBetween(course, b))
    neighbours.set(course.id, nearest)
    return nearest
  }
  return outcomes.map(({ state, person, courseId }): SeasonCourse | null => {
    const course = courses.get(courseId)
    if (!course || state === 'booked') return null
    const held = places.get(person) ?? []
    const found = nearestOf(course).find(
      other => (free.get(other.id) ?? 0) > 0 && !held.some(one => one.id === other.id || overlaps(one, other)),
    )
    if (found) take(person, found)
    return found ?? null
  })
}

/** Number of gains that are listed. */
const MOST_GAINS = 10

/** Summarizes the outcomes by course, and what one more course of each kind would give. */
export function summarize(
  outcomes: readonly Outcome[],
  draft: readonly SeasonCourse[],
  bases: ReadonlyMap<number, Basis>,
): Pick<Rehearsal, 'courses' | 'gains'> {
  const courses = new Map(draft.map(course => [course.id, course]))
  const found = findNeighbours(outcomes, courses)
  const own = Map.groupBy(
    outcomes.map((outcome, index) => ({ ...outcome, neighbour: found[index] ?? null })),
    ({ courseId }) => courseId,
  )
  const rows = draft.map((course): RehearsedCourse => {
    const requests = own.get(course.id) ?? []
    const count = (state: Outcome['state']) => requests.filter(one => one.state === state).length
    const perSecond = Map.groupBy(requests, ({ afterMs }) => Math.floor(afterMs / 1_000))
    const last = requests.find(({ state, taken }) => state !== 'booked' || taken >= course.capacity)
    const neighbours = Map.groupBy(
      requests.flatMap(({ neighbour }) => neighbour ?? []),
      one => one,
    )
    return {
      courseId: course.id,
      number: course.number,
      name: course.name,
      name2: course.name2,
      places: course.capacity,
      requests: requests.length,
      booked: count('booked'),
      waiting: count('waiting'),
      refused: count('refused'),
      fullAfterMs: last ? Math.max(0, Math.round(last.afterMs)) : null,
      peak: Math.max(0, ...[...perSecond.values()].map(({ length }) => length)),
      basis: bases.get(course.id) ?? null,
      neighbours: [...neighbours].map(([{ id, number }, { length }]) => ({ courseId: id, number, people: length })),
      unplaced: requests.filter(({ state, neighbour }) => state !== 'booked' && neighbour === null).length,
    }
  })
  return { courses: rows, gains: listGains(rows, courses) }
}

function listGains(rows: readonly RehearsedCourse[], courses: ReadonlyMap<number, SeasonCourse>): Rehearsal['gains'] {
  const kinds = Map.groupBy(
    rows.flatMap(({ courseId, unplaced }) => {
      const course = courses.get(courseId)
      return course && unplaced > 0 ? [{ course, unplaced }] : []
    }),
    ({ course }) => `${slotOf(course)} ${course.city}`,
  )
  return [...kinds.values()]
    .flatMap(kind => {
      const [first] = kind
      if (!first) return []
      const { categoryId, category, category2, city, weekday } = first.course
      return {
        courseCategoryId: categoryId,
        category,
        category2,
        city,
        weekday: weekday as Rehearsal['gains'][number]['weekday'],
        hour: hourOf(first.course),
        people: kind.reduce((sum, { unplaced }) => sum + unplaced, 0),
        places: Math.max(...kind.map(({ course }) => course.capacity)),
      }
    })
    .sort((a, b) => Math.min(b.people, b.places) - Math.min(a.people, a.places) || b.people - a.people)
    .slice(0, MOST_GAINS)
}

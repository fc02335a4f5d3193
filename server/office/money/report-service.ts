import * as v from 'valibot'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  BOOKING_START_REPORT_MINUTES,
  type getReport as contract,
  MIN_REPORTED_GROUP_SIZE,
  seasonFigures,
} from '#contract/office/report.ts'
import { toSickLeaves } from '#server/features/money/proof-rules.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import * as repository from './report-repository.ts'
import { getMoneyTotals } from './service.ts'

type Group = { count: number }
type ShownGroup<G extends Group> = Omit<G, 'count'> & { count: number | null }

/**
 * Hides groups of fewer than five people, and then the next larger groups until no hidden size can be derived from the
 * total (complementary cell suppression): the hidden sum must not be close to the smallest or largest value that the
 * visible groups allow.
 * @param groups non-empty groups whose sum is public
 * @returns an empty list if hiding all groups is not enough
 */
export function hideSmallGroups<G extends Group>(groups: readonly G[]): ShownGroup<G>[] {
  const ascending = [...groups].sort((a, b) => a.count - b.count)
  const isSafe = (size: number) => {
    const counts = ascending.slice(0, size).map(({ count }) => count)
    const sum = counts.reduce((total, count) => total + count, 0)
    const largest = (ascending[size]?.count ?? Infinity) - 1
    const slack = MIN_REPORTED_GROUP_SIZE - 1
    const isTied = (counts.at(-1) ?? 0) > largest
    return size === 0 || (size > 1 && !isTied && sum >= size + slack && sum <= size * largest - slack)
  }
  let size = ascending.filter(({ count }) => count < MIN_REPORTED_GROUP_SIZE).length
  while (size < ascending.length && !isSafe(size)) size += 1
  if (!isSafe(size)) return []
  const hidden = new Set(ascending.slice(0, size))
  return groups.map(group => ({ ...group, count: hidden.has(group) ? null : group.count }))
}

/** Counts rows by a key, in order of first appearance. */
const countBy = <Row, Key extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): (Key & { count: number })[] =>
  [...Map.groupBy(rows, row => JSON.stringify(keyOf(row)))].map(([key, same]) => ({
    ...(JSON.parse(key) as Key),
    count: same.length,
  }))

const figuresSchema = v.object(seasonFigures)
type Figures = v.InferOutput<typeof figuresSchema>

const sumOf = <Row>(rows: readonly Row[], cellOf: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + cellOf(row), 0)

async function countAttendance(
  db: Queryable,
  seasonId: number,
  region: string,
): Promise<repository.LessonAttendanceCount[]> {
  const people = await repository.listProofsOfSeason(db, seasonId)
  const spans = people.flatMap(({ webUserId, proofs }) =>
    toSickLeaves(region, proofs)
      .filter(({ isLongEnough }) => isLongEnough)
      .map(({ from, to }) => ({ webUserId, from, to })),
  )
  return repository.countLessonAttendance(db, seasonId, spans)
}

async function countParticipants(db: Queryable, seasonId: number): Promise<Figures['participants']> {
  const people = await repository.listParticipants(db, seasonId)
  const bandOf = (age: number | null) => (age === null || age < 0 ? null : Math.floor(age / 10) * 10)
  const byNumber = (a: number | null, b: number | null) => (a ?? Infinity) - (b ?? Infinity)
  return {
    total: people.length < MIN_REPORTED_GROUP_SIZE ? null : people.length,
    age: hideSmallGroups(countBy(people, ({ age }) => ({ from: bandOf(age) }))).sort((a, b) =>
      byNumber(a.from, b.from),
    ),
    status: hideSmallGroups(countBy(people, ({ employeeStatus }) => ({ employeeStatus }))).sort((a, b) =>
      byNumber(a.employeeStatus, b.employeeStatus),
    ),
    division: hideSmallGroups(countBy(people, ({ divisionId, division: name }) => ({ divisionId, name }))).sort(
      (a, b) => byNumber(a.divisionId, b.divisionId),
    ),
  }
}

/** Calculates a season's current figures, without a comparison to another season. */
export async function calculateSeasonFigures(db: Queryable, seasonId: number, region: string): Promise<Figures> {
  const courses = await repository.listCourses(db, seasonId)
  const lessons = await countAttendance(db, seasonId, region)
  const ofCourse = Map.groupBy(lessons, ({ courseId }) => courseId)
  const byLesson = [...Map.groupBy(lessons, ({ lesson }) => lesson)].sort(([a], [b]) => a - b)
  return {
    utilisation: courses.map(({ waiting, places, ...course }) => {
      const held = ofCourse.get(course.courseId) ?? []
      return { ...course, lessons: held.length, places: places * held.length, taken: sumOf(held, one => one.taken) }
    }),
    demand: await repository.listCourseDemand(db, seasonId),
    rooms: await repository.listRoomUse(db, seasonId),
    waiting: courses.map(({ courseCategoryId, ...course }) => course),
    bookings: {
      season: await repository.countBookingsByElapsedMinutes(db, seasonId, BOOKING_START_REPORT_MINUTES),
      against: null,
    },
    attendance: byLesson.map(([lesson, all]) => ({
      lesson,
      present: sumOf(all, one => one.present),
      absent: sumOf(all, one => one.absent),
      excused: sumOf(all, one => one.excused),
      unrecorded: sumOf(all, one => one.unrecorded),
    })),
    noShows: courses.map(({ courseId, number, name, name2 }) => {
      const held = ofCourse.get(courseId) ?? []
      return {
        courseId,
        number,
        name,
        name2,
        present: sumOf(held, one => one.present),
        absent: sumOf(held, one => one.absent),
      }
    }),
    cancellations: await repository.countCancellations(db, seasonId),
    participants: await countParticipants(db, seasonId),
    money: await getMoneyTotals(db, seasonId),
  }
}

/**
 * Report on a season, with frozen or current figures.
 * @returns null if the season does not exist
 */
export async function getSeasonReport(
  db: Queryable,
  { seasonId, against }: { seasonId: number; against: number | null },
  region: string,
): Promise<ResponseOf<typeof contract> | null> {
  const report = await repository.findSeasonReport(db, seasonId)
  if (report === null) return null
  const figures = report.figures
    ? v.parse(figuresSchema, report.figures)
    : await calculateSeasonFigures(db, seasonId, region)
  const other = against === null ? null : await getSeasonReport(db, { seasonId: against, against: null }, region)
  return {
    closedAt: report.closedAt,
    ...figures,
    bookings: { season: figures.bookings.season, against: other?.bookings.season ?? null },
  }
}

import { type Queryable, sql } from '#server/platform/db/client.ts'

export type ExistingCourse = {
  id: number
  number: string
  /** first day of the date range in which weekly lessons are generated on weekday `day` (0 is Sunday) */
  starts_on: string
  ends_on: string
  day: number
  start_time: string
  end_time: string
  capacity: number
  taken: number
  has_own_dates: boolean
  /** comma-separated start times of all lessons, with which an import detects changes; not queried elsewhere */
  lessons?: string | null
}

export const existingCourseColumns = sql`
  id, number, plan_starts_on as starts_on, plan_ends_on as ends_on, plan_day as day, start_time, end_time, capacity, taken, has_own_dates`

/** Existing data that rows of the folder may reference. */
export type ExistingProgramme = {
  divisions: Set<number>
  seasons: Set<number>
  drafts: Set<number>
  /** seasons with courses that have ever been booked, and these courses by number */
  bookedSeasons: Set<number>
  bookedCourses: Set<string>
  /** courses that are cancelled, and others that are over, by number */
  cancelledCourses: Set<string>
  pastCourses: Set<string>
  categories: Set<number>
  albums: Set<number>
  /** ids of albums that belong to a course */
  privateAlbums: Set<number>
  instructors: Set<string>
  /** account ids by e-mail address */
  users: Map<string, number>
  /** courses by number */
  courses: Map<string, ExistingCourse>
  /** current date of the portal, 'YYYY-MM-DD' */
  today: string
  /**
   * reference date for folders with relative dates: the day on which such a folder was first imported, by default today
   */
  movesTo: string
}

export async function loadExistingProgramme(tx: Queryable): Promise<ExistingProgramme> {
  const ids = async (table: string) => {
    const rows = await tx.query<{ id: number }>(sql`select id from ${sql.raw(table)}`)
    return new Set(rows.map(({ id }) => id))
  }
  const instructors = await tx.query<{ email: string }>(sql`select email from instructors`)
  const users = await tx.query<{ email: string; id: number }>(
    sql`select email, id from web_users where state <> 'claimed'`,
  )
  const courses = await tx.query<ExistingCourse>(sql`
    select ${existingCourseColumns}, (
      select string_agg(d.held_at::text, ',' order by d.held_at) from course_dates d where d.course_id = courses.id) as lessons
    from courses`)
  const booked = await tx.query<{ number: string }>(sql`
    select c.number from courses c where exists (select from bookings b where b.course_id = c.id)`)
  const ended = await tx.query<{ number: string; isCancelled: boolean }>(sql`
    select number, cancelled_at is not null as "isCancelled" from courses where closes_at <= clock_timestamp()`)
  const endedNumbers = (areCancelled: boolean) =>
    new Set(ended.flatMap(({ number, isCancelled }) => (isCancelled === areCancelled ? number : [])))
  const { today, movesTo } = await tx.one<Pick<ExistingProgramme, 'today' | 'movesTo'>>(sql`
    select clock_timestamp()::date as today, coalesce(dates_moved_on, clock_timestamp()::date) as "movesTo" from programme`)
  return {
    divisions: await ids('divisions'),
    seasons: await ids('seasons'),
    drafts: await ids('seasons where is_draft'),
    bookedSeasons: await ids(
      'seasons s where exists (select from courses c join bookings b on b.course_id = c.id where c.season_id = s.id)',
    ),
    bookedCourses: new Set(booked.map(({ number }) => number)),
    cancelledCourses: endedNumbers(true),
    pastCourses: endedNumbers(false),
    categories: await ids('categories'),
    albums: await ids('albums'),
    privateAlbums: await ids('albums where course_id is not null'),
    instructors: new Set(instructors.map(({ email }) => email)),
    users: new Map(users.map(({ email, id }) => [email, id])),
    courses: new Map(courses.map(course => [course.number, course])),
    today,
    movesTo,
  }
}

/**
 * Locks courses whose capacity is reduced.
 * @param capacities new capacities by course number
 * @returns number of confirmed bookings by course number, for the courses with more bookings than their new capacity
 */
export async function findOverbookedCourses(
  tx: Queryable,
  capacities: Map<string, number>,
): Promise<Map<string, number>> {
  const shrinking = await tx.query<{ number: string; booked: number }>(sql`
    select number, least(taken, courses.capacity) as booked
    from courses join unnest(${[...capacities.keys()]}::text[], ${[...capacities.values()]}::int[]) as given (number, capacity)
      using (number)
    where given.capacity < courses.capacity
    order by courses.id for no key update of courses`)
  return new Map(
    shrinking
      .filter(({ number, booked }) => booked > (capacities.get(number) ?? 0))
      .map(({ number, booked }) => [number, booked]),
  )
}

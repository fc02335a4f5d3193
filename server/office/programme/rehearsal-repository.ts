import type { EmployeeStatus } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** A request for a course of the earlier season. */
export type DemandRow = {
  courseId: number
  /** null: a request that was refused, of a person who is not known */
  webUserId: number | null
  employeeStatus: EmployeeStatus | null
  /** milliseconds since the course opened for booking, negative before */
  afterMs: number
  requests: number
}

/**
 * Every person's first request for each course of a season, and the requests that were refused because the course was
 * full, in the order in which they were received.
 */
export const listDemand = (db: Queryable, seasonId: number): Promise<DemandRow[]> =>
  db.query<DemandRow>(sql`
    select course_id as "courseId", web_user_id as "webUserId", employee_status as "employeeStatus", requests,
      (extract(epoch from asked_at - opens_at) * 1000)::float8 as "afterMs"
    from (
      select * from (
        select distinct on (b.course_id, b.web_user_id) b.course_id, b.web_user_id, b.employee_status, b.booked_at as asked_at,
          b.seq, c.opens_at, 1 as requests
        from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId}
        order by b.course_id, b.web_user_id, b.seq) own
      union all
      -- The course was full, so these come after the bookings of the same second.
      select r.course_id, null, null, r.second + interval '999 ms', null, c.opens_at, r.requests
      from refused_requests r join courses c on c.id = r.course_id where c.season_id = ${seasonId}
    ) request
    order by asked_at - opens_at, course_id, seq`)

export type SeasonCourse = {
  id: number
  number: string
  name: string
  name2: string
  categoryId: number
  category: string
  category2: string
  city: string
  weekday: number
  startTime: string
  endTime: string
  capacity: number
  taken: number
  copiedFromId: number | null
}

/** The courses of a season that are not cancelled. Times as 'HH:MM'. */
export const listSeasonCourses = (db: Queryable, seasonId: number): Promise<SeasonCourse[]> =>
  db.query<SeasonCourse>(sql`
    select c.id, c.number, c.name, c.name2, c.category_id as "categoryId", k.name as category, k.name2 as category2, c.city,
      c.day as weekday, to_char(c.start_time, 'HH24:MI') as "startTime", to_char(c.end_time, 'HH24:MI') as "endTime",
      c.capacity, c.taken, c.copied_from_id as "copiedFromId"
    from courses c join categories k on k.id = c.category_id
    where c.season_id = ${seasonId} and c.cancelled_at is null order by c.number`)

export const isDraftSeason = async (db: Queryable, seasonId: number): Promise<boolean | null> =>
  (await db.maybeOne<{ isDraft: boolean }>(sql`select is_draft as "isDraft" from seasons where id = ${seasonId}`))
    ?.isDraft ?? null

/** Acquires the lock of which each database has one until the transaction ends. */
export const lockRehearsal = async (tx: Queryable): Promise<boolean> =>
  (await tx.one<{ isFree: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext('rehearsal')) as "isFree"`)).isFree

/** Opens the courses of a season for booking, for the rest of the transaction. */
export async function openSeason(tx: Queryable, seasonId: number): Promise<void> {
  await tx.execute(sql`update seasons set viewable_from = '-infinity' where id = ${seasonId}`)
  await tx.execute(sql`update courses set opens_at = '-infinity', closes_at = 'infinity' where season_id = ${seasonId}`)
}

/**
 * Inserts an account for each person of the demand, so that the rows of the real accounts are not locked.
 * @returns ids in the same order
 */
export const insertStandIns = async (tx: Queryable, statuses: readonly (EmployeeStatus | null)[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      insert into web_users (email, employee_status)
      select 'rehearsal-' || number || '@invalid', status from unnest(${statuses}::smallint[]) with ordinality s (status, number)
      order by number returning id`)
  )
    .map(({ id }) => id)
    .sort((a, b) => a - b)

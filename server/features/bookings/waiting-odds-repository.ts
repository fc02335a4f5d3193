import { MIN_ODDS_ENTRIES, MIN_ODDS_PEOPLE, SOON_DAYS, type WaitingOdds } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

const { Waitinglist } = BOOKING_STATUS
/** Maximum number of past courses that are counted, newest first. */
const MOST_COURSES = 100

/**
 * SQL: everyone who has waited in the courses of `past (id, closes_at)`, with the time at which the waiting ended.
 */
const waitingEntries = sql`
  select b.id, b.course_id, b.seq, b.booked_at, b.promoted_at,
    coalesce(b.promoted_at, b.cancelled_at, p.closes_at) as left_at
  from past p join bookings b on b.course_id = p.id
  where b.state = ${Waitinglist} or b.promoted_at is not null`

/**
 * SQL: the time at which each entry `e` of `entries` had the position: when it joined the list there, or when enough
 * people ahead of it had left. Rows of entries that never had it are missing.
 */
const reachedPosition = (position: SqlFragment) => sql`
  select e.*, r.reached_at from entries e
  cross join lateral (
    select array_agg(a.left_at order by a.left_at) as departures, count(*)::int as ahead
    from entries a where a.course_id = e.course_id and a.seq < e.seq and a.left_at > e.booked_at
  ) f
  cross join lateral (
    select case when f.ahead + 1 = ${position} then e.booked_at else f.departures[f.ahead + 1 - ${position}] end as reached_at
  ) r
  where f.ahead + 1 = ${position} or r.reached_at < e.left_at`

/**
 * Counts the people who had the person's present position on waiting lists of past courses of the same category, and
 * how many of them got a seat.
 * @returns null if the person is not waiting, or if there are too few cases
 */
export const findWaitingOdds = (db: Queryable, courseId: number, webUserId: number): Promise<WaitingOdds | null> =>
  db.maybeOne<WaitingOdds>(sql`
    with own as materialized (
      select 1 + (
        select count(*) from bookings a
        where a.course_id = b.course_id and a.state = ${Waitinglist} and a.cancelled_at is null and a.seq < b.seq
      )::int as position
      from bookings b
      where b.course_id = ${courseId} and b.web_user_id = ${webUserId} and b.state = ${Waitinglist} and b.cancelled_at is null
    ), past as materialized (
      select p.id, p.closes_at from courses c join courses p on p.category_id = c.category_id and p.id <> c.id
      where c.id = ${courseId} and p.closes_at <= clock_timestamp() and p.cancelled_at is null and exists (select from own)
      order by p.closes_at desc limit ${MOST_COURSES}
    ), entries as materialized (${waitingEntries}),
    reached as (${reachedPosition(sql`(select position from own)`)})
    select (select position from own), count(*)::int as people, count(promoted_at)::int as placed,
      (count(*) filter (where promoted_at < reached_at + ${SOON_DAYS} * interval '1 day'))::int as "placedSoon"
    from reached
    having count(*) >= ${MIN_ODDS_PEOPLE} and (select count(*) from entries) >= ${MIN_ODDS_ENTRIES}`)

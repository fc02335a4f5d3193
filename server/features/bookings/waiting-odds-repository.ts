import { MIN_ODDS_ENTRIES, MIN_ODDS_PEOPLE, SOON_DAYS, type WaitingOdds } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { waitingPosition } from '#server/features/courses/view-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

const { Waitinglist } = BOOKING_STATUS
/** Maximum number of past courses of a category that are counted, newest first. */
const MOST_COURSES = 100
/** Positions that are compared with the outcome of a season. */
const MOST_POSITIONS = 10

/** SQL: everyone who has waited in the courses of `past (id, closes_at)`, with the time at which the waiting ended. */
const waitingEntries = sql`
  select p.*, b.course_id, b.seq, b.booked_at, b.promoted_at, b.is_passed_over,
    coalesce(b.promoted_at, b.cancelled_at, p.closes_at) as left_at
  from past p join bookings b on b.course_id = p.id
  where b.state = ${Waitinglist} or b.promoted_at is not null`

/**
 * SQL: the time at which each entry `e` of `entries` had the position: when it joined the list there, or when enough
 * people ahead of it had left. Rows of entries that never had it are missing, and so are people who were passed over: they
 * are only ahead of others.
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
  where not e.is_passed_over and (f.ahead + 1 = ${position} or r.reached_at < e.left_at)`

/**
 * Counts the people who had the person's present position on waiting lists of past courses of the same category, and
 * how many of them got a seat.
 * @returns null if the person is not waiting, or if there are too few cases
 */
export const findWaitingOdds = (db: Queryable, courseId: number, webUserId: number): Promise<WaitingOdds | null> =>
  db.maybeOne<WaitingOdds>(sql`
    with own as materialized (
      select ${waitingPosition} as position
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

export type OddsOutcome = {
  courseCategoryId: number
  position: number
  people: number
  placed: number
  peopleBefore: number
  placedBefore: number
}

/** Compares the odds at the start of a season's booking with what happened in its courses that are over. */
export const listOddsOutcomes = (db: Queryable, seasonId: number): Promise<OddsOutcome[]> =>
  db.query<OddsOutcome>(sql`
    with past as materialized (
      select * from (
        select c.id, c.closes_at, c.category_id, c.season_id = s.id as is_now,
          row_number() over (partition by c.category_id, c.season_id = s.id order by c.closes_at desc) as nth
        from seasons s join courses c on c.season_id = s.id or c.closes_at <= s.bookable_from
        where s.id = ${seasonId} and c.closes_at <= clock_timestamp() and c.cancelled_at is null
      ) p where is_now or nth <= ${MOST_COURSES}
    ), entries as materialized (${waitingEntries}),
    counted as (
      select r.category_id, n.position,
        count(*) filter (where r.is_now) as people, count(r.promoted_at) filter (where r.is_now) as placed,
        count(*) filter (where not r.is_now) as people_before, count(r.promoted_at) filter (where not r.is_now) as placed_before
      from generate_series(1, ${MOST_POSITIONS}) n (position) cross join lateral (${reachedPosition(sql`n.position`)}) r
      group by r.category_id, n.position
    )
    select category_id as "courseCategoryId", position, people::int, placed::int, people_before::int as "peopleBefore",
      placed_before::int as "placedBefore"
    from counted c
    where people >= ${MIN_ODDS_PEOPLE} and people_before >= ${MIN_ODDS_PEOPLE}
      and (select count(*) from entries e where e.category_id = c.category_id and not e.is_now) >= ${MIN_ODDS_ENTRIES}
    order by category_id, position`)

import { BOOKING_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { isEndedByMerge } from '#server/features/bookings/repository.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { lessonParticipants } from '#server/features/lessons/participant-repository.ts'
import { lessonEnd, siteOfLesson } from '#server/features/lessons/repository.ts'
import { acceptedProofs } from '#server/features/money/proof-repository.ts'
import type { AttendanceProof, DateSpan } from '#server/features/money/proof-rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

type SeasonOfReport = { closedAt: string | null; figures: Record<string, unknown> | null }

/**
 * Finds a season with its frozen report.
 * @returns null if the season does not exist
 */
export const findSeasonReport = (db: Queryable, seasonId: number): Promise<SeasonOfReport | null> =>
  db.maybeOne(sql`
    select to_char(r.closed_at, 'YYYY-MM-DD"T"HH24:MI') as "closedAt", r.figures
    from seasons s left join season_reports r on r.season_id = s.id where s.id = ${seasonId}`)

/** Freezes the figures of a season. Repeating it changes nothing. */
export const insertSeasonReport = (
  tx: Queryable,
  { seasonId, figures, closedBy }: { seasonId: number; figures: object; closedBy: number | null },
): Promise<number> =>
  tx.execute(sql`
    insert into season_reports (season_id, closed_by, figures)
    values (${seasonId}, ${closedBy}, ${JSON.stringify(figures)}::jsonb) on conflict do nothing`)

/** Number of unsettled courses in a season that are not cancelled and have or had participants. */
export const countUnsettledCourses = async (db: Queryable, seasonId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from courses c
      where c.season_id = ${seasonId} and c.cancelled_at is null
        and exists (select from bookings b where b.course_id = c.id and b.state = ${Booked})
        and not exists (select from settlements s where s.course_id = c.id)`)
  ).count

/** SQL for the number of people who were on the waiting list of course `c` and never received a seat. */
const neverServed = sql`(
  select count(distinct b.web_user_id)::int from bookings b
  where b.course_id = c.id and b.state = ${Waitinglist} and not exists (
    select from bookings p where p.course_id = c.id and p.web_user_id = b.web_user_id and p.state = ${Booked}))`

export type CourseOfReport = {
  courseId: number
  number: string
  name: string
  name2: string
  courseCategoryId: number
  places: number
  waiting: number
}
export const listCourses = (db: Queryable, seasonId: number): Promise<CourseOfReport[]> =>
  db.query(sql`
    select c.id as "courseId", c.number, c.name, c.name2, c.category_id as "courseCategoryId", c.capacity as places,
      ${neverServed} as waiting
    from courses c where c.season_id = ${seasonId} and c.cancelled_at is null order by c.number`)

type Demand = { weekday: number; hour: number; places: number; booked: number; waiting: number }
export const listCourseDemand = (db: Queryable, seasonId: number): Promise<Demand[]> =>
  db.query(sql`
    with course as (
      select c.id, c.capacity, ${neverServed} as waiting, (
        select count(*) from bookings b where b.course_id = c.id and b.state = ${Booked} and b.cancelled_at is null) as booked
      from courses c where c.season_id = ${seasonId} and c.cancelled_at is null
    ), slot as (
      select distinct d.course_id, extract(dow from d.held_at)::int as weekday, extract(hour from d.held_at)::int as hour
      from course_dates d where d.course_id in (select id from course) and d.state = 'planned'
    )
    select s.weekday, s.hour, sum(c.capacity)::int as places, sum(c.booked)::int as booked, sum(c.waiting)::int as waiting
    from slot s join course c on c.id = s.course_id group by 1, 2 order by 1, 2`)

type RoomUse = { roomId: number | null; name: string; site: string; weekday: number; hours: number }
export const listRoomUse = (db: Queryable, seasonId: number): Promise<RoomUse[]> =>
  db.query(sql`
    select l.room_id as "roomId", coalesce(r.name, l.venue) as name, ${siteOfLesson} as site,
      extract(dow from l.held_at)::int as weekday,
      round(sum(extract(epoch from l.ends_at - l.held_at)) / 3600, 2)::float8 as hours
    from ${effectiveLessons} left join rooms r on r.id = l.room_id
    where l.season_id = ${seasonId} and l.takes_place
    group by 1, 2, 3, 4 order by 3, 2, 1, 4`)

/**
 * SQL condition: staff moved the person of booking `b` at about the time `at`, out of this course (`fromCourseId`) or
 * into it (`toCourseId`).
 */
const isMovedBy = (course: 'fromCourseId' | 'toCourseId', at: SqlFragment) => sql`exists (
  select from office_record r
  where r.kind = 'move-booking' and r.acted_at >= date_trunc('milliseconds', ${at}) and r.acted_at < ${at} + interval '1 minute'
    and (r.line::json #>> array['objects', ${course}])::int = b.course_id
    and (b.web_user_id = (r.line::json #>> '{objects,webUserId}')::int or exists (
      select from office_record_people p where p.record_number = r.number and p.web_user_id = b.web_user_id)))`

/**
 * For each of these numbers of minutes, counts the bookings and waiting-list entries that were made up to that long
 * after booking had started for their course. A booking moved to another course counts once. Omits numbers larger than
 * the minutes that have passed since the season's first start of booking.
 */
export const countBookingsByElapsedMinutes = (
  db: Queryable,
  seasonId: number,
  steps: readonly number[],
): Promise<{ minutes: number; count: number }[]> =>
  db.query(sql`
    with booked as (
      select extract(epoch from b.booked_at - c.opens_at) / 60 as minutes
      from bookings b join courses c on c.id = b.course_id where c.season_id = ${seasonId} and not ${isEndedByMerge}
        and not ${isMovedBy('toCourseId', sql`b.booked_at`)}
    )
    select s.minutes, (select count(*)::int from booked b where b.minutes <= s.minutes) as count
    from unnest(${[...steps]}::int[]) s (minutes)
    where s.minutes <= (
      select extract(epoch from clock_timestamp() - min(c.opens_at)) / 60 from courses c where c.season_id = ${seasonId})
    order by 1`)

/** Accepted sick notes and shift certificates of the participants of a season. */
export const listProofsOfSeason = (
  db: Queryable,
  seasonId: number,
): Promise<{ webUserId: number; proofs: AttendanceProof[] }[]> =>
  db.query(sql`
    select u.id as "webUserId", ${acceptedProofs} as proofs from web_users u
    where exists (select from proofs p where p.web_user_id = u.id and p.state = 'accepted' and p.kind = 'sick')
      and exists (select from bookings b join courses c on c.id = b.course_id where b.web_user_id = u.id and c.season_id = ${seasonId})`)

export type LessonAttendanceCount = {
  courseId: number
  lesson: number
  taken: number
  present: number
  absent: number
  excused: number
  unrecorded: number
}
/**
 * Counts occupied seats and attendance in past lessons. As in a settlement, who has no record in a recorded lesson was
 * absent. A freed place with a guest is one seat, with the attendance of both.
 * @param sickSpans periods of sick leave that excuse missed lessons
 */
export const countLessonAttendance = (
  db: Queryable,
  seasonId: number,
  sickSpans: readonly (DateSpan & { webUserId: number })[],
): Promise<LessonAttendanceCount[]> =>
  db.query(sql`
    with lesson as (
      select d.id, d.course_id, d.held_at, ${lessonEnd} as ends_at,
        row_number() over (partition by d.course_id order by d.held_at, d.id)::int as number,
        exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null) as is_recorded
      from course_dates d join courses c on c.id = d.course_id
      where c.season_id = ${seasonId} and c.cancelled_at is null and d.state = 'planned'
    ), place as (
      select p.* from ${lessonParticipants(sql`d.course_id in (select id from courses where season_id = ${seasonId})`)} where p.belongs
    ), sick as (
      select * from unnest(${sickSpans.map(({ webUserId }) => webUserId)}::int[], ${sickSpans.map(({ from }) => from)}::date[],
        ${sickSpans.map(({ to }) => to)}::date[]) s (web_user_id, starts_on, ends_on)
    ), seat as (
      select l.course_id, l.number, p.web_user_id, p.booking_id, case when p.is_present then 'present'
        when exists (select from sick s where s.web_user_id = p.web_user_id and l.held_at::date between s.starts_on and s.ends_on)
          then 'excused'
        when l.is_recorded then 'absent' else 'unrecorded' end as state
      from lesson l left join place p on p.course_date_id = l.id
      where l.ends_at <= localtimestamp
    )
    select course_id as "courseId", number as lesson, count(booking_id)::int as taken,
      count(web_user_id) filter (where state = 'present')::int as present,
      count(web_user_id) filter (where state = 'absent')::int as absent,
      count(web_user_id) filter (where state = 'excused')::int as excused,
      count(web_user_id) filter (where state = 'unrecorded')::int as unrecorded
    from seat group by 1, 2 order by 1, 2`)

/** Counts cancelled bookings in courses that took place, without those moved to another course. */
export const countCancellations = (db: Queryable, seasonId: number): Promise<{ days: number; count: number }[]> =>
  db.query(sql`
    select c.starts_on - b.cancelled_at::date as days, count(*)::int as count
    from bookings b join courses c on c.id = b.course_id
    where c.season_id = ${seasonId} and c.cancelled_at is null and b.state = ${Booked} and b.cancelled_at is not null
      and not ${isEndedByMerge} and not ${isMovedBy('fromCourseId', sql`b.cancelled_at`)}
    group by 1 order by 1`)

export type ParticipantGroup = {
  /** age in years at the start of the season */
  age: number | null
  employeeStatus: EmployeeStatus | null
  divisionId: number | null
  division: string
}
/** One row per person with a seat. Status and division are those of the latest booking. */
export const listParticipants = (db: Queryable, seasonId: number): Promise<ParticipantGroup[]> =>
  db.query(sql`
    select distinct on (b.web_user_id) extract(year from s.starts_at)::int - u.year_of_birth as age,
      coalesce(b.employee_status, u.employee_status) as "employeeStatus", d.id as "divisionId", coalesce(d.name, '') as division
    from bookings b join courses c on c.id = b.course_id join seasons s on s.id = c.season_id join web_users u on u.id = b.web_user_id
      left join divisions d on d.id = coalesce(b.division_id, u.division_id)
    where c.season_id = ${seasonId} and c.cancelled_at is null and b.state = ${Booked} and b.cancelled_at is null
    order by b.web_user_id, b.id desc`)

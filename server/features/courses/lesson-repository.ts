import type { Language } from '#contract/values.ts'
import { isGuestPlace } from '#server/features/lessons/participant-repository.ts'
import { lessonCity, lessonEnd, lessonInstructors, lessonVenue } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { selectName } from '#server/platform/db/name-in-language.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** SQL for the id of the room that this venue of course `c` names, at the site that is the course's city. */
export const roomOfVenue = (venue: SqlFragment): SqlFragment => sql`(
  select r.id from rooms r where r.name = ${venue} and (r.site = '' or c.city = '' or r.site = c.city)
  order by r.site = c.city desc, r.id limit 1)`

/**
 * SQL for every lesson as `l` with its effective values: its own time, room, venue and instructor, or those of the
 * course. Without its own room, a lesson is in the room whose name equals the venue; if the room has a site and the
 * course has a city, they must be equal.
 */
export const effectiveLessons = sql`(
  select d.id, d.course_id, d.held_at, d.state, d.note, d.note2, d.moved_from, d.is_extra, d.calendar_changed_at as changed_at,
    ${lessonEnd} as ends_at,
    coalesce(d.room_id, ${roomOfVenue(sql`coalesce(d.venue, c.venue)`)}) as room_id,
    coalesce(${lessonVenue}, c.venue) as venue, ${lessonCity} as city,
    d.instructor_email as substitute,
    ${lessonInstructors} as instructors,
    c.number, c.name as course_name, c.name2 as course_name2, c.season_id,
    d.state = 'planned' and c.cancelled_at is null as takes_place
  from course_dates d join courses c on c.id = d.course_id) l`

/** SQL for the name in a language of the course of lesson `l`. */
export const lessonCourseName = (language: Language): SqlFragment =>
  selectName(language, sql`l.course_name`, sql`l.course_name2`)

/** Whether neither the lesson nor its course is cancelled. */
export const isLessonPlanned = async (db: Queryable, courseDateId: number): Promise<boolean> =>
  (await db.maybeOne(sql`select from ${effectiveLessons} where l.id = ${courseDateId} and l.takes_place`)) !== null

/** Days before its last day at which a licence is on *Today* and the instructor is reminded of it. */
const LICENCE_NOTICE_DAYS = 42

/**
 * SQL for the instructors who teach future lessons of published seasons and whose licence has ended or ends within six
 * weeks, as `t` with the numbers of those lessons and of the ones after the last day of the licence. Each lesson's
 * instructors are determined once (materialized), whatever the planner expects of the join.
 */
export const expiringLicences = sql`(
  with taught as materialized (
    select l.held_at, unnest(l.instructors) as email from ${effectiveLessons} join seasons s on s.id = l.season_id and not s.is_draft
    where l.takes_place and l.held_at > localtimestamp
  )
  select i.email, concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name, i.licence, i.licence_until,
    count(*)::int as lessons, (count(*) filter (where l.held_at::date > i.licence_until))::int as uncovered
  from taught l join instructors i on i.email = l.email
  where i.licence_until < current_date + ${sql.raw(String(LICENCE_NOTICE_DAYS))}
  group by i.email) t`

export type LessonClash = {
  /** course of the lesson that is being checked */
  courseId: number
  number: string
  /** course number and name, as is `otherName` */
  name: string
  /** start of the lesson and end of the overlap, 'YYYY-MM-DDTHH:mm' */
  at: string
  until: string
  otherCourseId: number
  otherNumber: string
  otherName: string
  /** ids of the lesson that is being checked and of the conflicting one */
  lessonId: number
  otherLessonId: number
  roomId: number | null
  room: string | null
  /** a venue that is not a registered room, so it is unknown whether lessons can share it */
  venue: string | null
  /** e-mail address of the instructor whom both lessons share */
  instructor: string | null
  instructorName: string | null
  /** whether the list is truncated */
  isCut: boolean
}

/** Lessons to compare with all other lessons, all by default, and the language of the courses' names. */
export type LessonClashScope = {
  courseIds?: readonly number[]
  lessonIds?: readonly number[]
  seasonId?: number
  language?: Language
}

/** Maximum number of results; n simultaneous lessons produce n² pairs. */
const MOST_CLASHES = 10_000

/**
 * Finds future lessons that use the same exclusive room or instructor at the same time. If the scope selects lessons,
 * each pair is listed from the perspective of these lessons; otherwise each pair is listed once.
 */
export const listLessonClashes = (
  db: Queryable,
  { courseIds, lessonIds, seasonId, language = 'de' }: LessonClashScope,
): Promise<LessonClash[]> => {
  const asked = sql.join(
    [
      ...(courseIds === undefined ? [] : [sql`l.course_id = any(${[...courseIds]}::int[])`]),
      ...(lessonIds === undefined ? [] : [sql`l.id = any(${[...lessonIds]}::int[])`]),
      ...(seasonId === undefined ? [] : [sql`l.season_id = ${seasonId}`]),
      sql`l.takes_place and l.held_at > localtimestamp - interval '1 day'`,
    ],
    sql` and `,
  )
  const isOfAll = courseIds === undefined && lessonIds === undefined && seasonId === undefined
  const once = isOfAll ? sql`and (a.course_id, a.id) < (b.course_id, b.id)` : sql.empty
  // When all lessons are compared, only registered rooms are considered, because it is unknown whether lessons can share
  // any other venue.
  const unknownPlaces = isOfAll
    ? sql.empty
    : sql`
        union all select null, null, concat_ws(', ', o.venue, nullif(o.city, '')) where o.room_id is null and o.venue <> ''
          and exists (select from courses c where c.id = o.course_id and c.meeting_url = '')`
  // The join compares resource and day for equality, so that a whole season is compared in one pass (hash join).
  return db.query(sql`
    with asked as materialized (select * from ${effectiveLessons} where ${asked}),
    others as materialized (
      select l.*, ${lessonCourseName(language)} as shown_name from ${effectiveLessons} where l.takes_place and l.held_at between
        (select min(held_at) from asked) - interval '1 day' and (select max(ends_at) from asked)
    ), needed as materialized (
      select o.id, o.course_id, o.number, o.number || ' ' || o.shown_name as course_name, o.held_at, o.ends_at, o.held_at::date as day, n.room, n.instructor, n.place,
        o.venue
      from others o cross join lateral (
        select r.id as room, null::text as instructor, null::text as place from rooms r where r.id = o.room_id and not r.is_shared
        union all select null, unnest(o.instructors), null${unknownPlaces}) n
    ), pairs as materialized (
      select a.course_id, a.number, a.course_name, a.held_at, b.course_id as other_id, b.number as other_number,
        b.course_name as other_name, a.room, a.instructor, least(a.ends_at, b.ends_at) as until, a.id as lesson_id, b.id as other_lesson_id,
        case when a.place is not null then a.venue end as venue
      from needed a cross join lateral unnest(array[a.day - 1, a.day, a.day + 1]) d (day) join needed b
        on b.day = d.day and coalesce(b.room::text, b.instructor, b.place) = coalesce(a.room::text, a.instructor, a.place) and b.id <> a.id
        and a.held_at < b.ends_at and b.held_at < a.ends_at
      where a.id in (select id from asked) ${once}
      limit ${MOST_CLASHES + 1}
    )
    select p.course_id as "courseId", to_char(p.held_at, 'YYYY-MM-DD"T"HH24:MI') as at, to_char(min(p.until), 'YYYY-MM-DD"T"HH24:MI') as until, p.other_id as "otherCourseId",
      min(p.number) as number, min(p.course_name) as name, min(p.other_number) as "otherNumber", min(p.other_name) as "otherName",
      min(p.room) as "roomId", min(r.name) as room, min(p.instructor) as instructor, min(p.venue) as venue,
      min(p.lesson_id) as "lessonId", min(p.other_lesson_id) as "otherLessonId",
      min(coalesce(nullif(concat_ws(' ', nullif(i.given_name, ''), i.family_name), ''), p.instructor)) as "instructorName",
      (select count(*) from pairs) > ${MOST_CLASHES} as "isCut"
    from pairs p left join rooms r on r.id = p.room left join instructors i on i.email = p.instructor
    group by p.course_id, p.held_at, p.other_id order by p.held_at, p.other_id`)
}

type Pair = { first: number; second: number; need: 'room' | 'instructor' }
type Accepted = Pick<LessonClash, 'until' | 'roomId' | 'instructor'>

const pairOf = ({ lessonId, otherLessonId, room, roomId, instructor, until }: LessonClash): Pair & Accepted => ({
  first: Math.min(lessonId, otherLessonId),
  second: Math.max(lessonId, otherLessonId),
  need: room === null ? 'instructor' : 'room',
  until,
  roomId,
  instructor,
})

const pairsOf = (clashes: readonly LessonClash[]) => sql`
  jsonb_to_recordset(${JSON.stringify(clashes.map(pairOf))}::text::jsonb) as p (first int, second int, need text, until timestamp, "roomId" int, instructor text)`

/** Conflicts that staff have not accepted for the current times, room and instructor, or not for as long. */
export async function listUnacceptedClashes(tx: Queryable, clashes: readonly LessonClash[]): Promise<LessonClash[]> {
  if (clashes.length === 0) return []
  const rows = await tx.query<Pair>(sql`
    select p.first, p.second, p.need from ${pairsOf(clashes)}
      join accepted_clashes a on (a.course_date_id, a.other_id, a.need) = (p.first, p.second, p.need)
      join course_dates d on d.id = a.course_date_id and d.held_at = a.held_at
      join course_dates o on o.id = a.other_id and o.held_at = a.other_held_at
    where a.overlaps_until is null or p.until <= a.overlaps_until
      and p."roomId" is not distinct from a.room_id and (p.instructor is null or p.instructor = a.instructor_email)`)
  const keyOf = ({ first, second, need }: Pair) => `${first} ${second} ${need}`
  const accepted = new Set(rows.map(keyOf))
  return clashes.filter(clash => !accepted.has(keyOf(pairOf(clash))))
}

export const insertAcceptedClashes = async (tx: Queryable, clashes: readonly LessonClash[]): Promise<void> => {
  if (clashes.length === 0) return
  await tx.execute(sql`
    insert into accepted_clashes (course_date_id, other_id, need, held_at, other_held_at, overlaps_until, room_id, instructor_email)
    select distinct on (p.first, p.second, p.need) p.first, p.second, p.need, d.held_at, o.held_at, p.until, p."roomId", p.instructor
    from ${pairsOf(clashes)} join course_dates d on d.id = p.first join course_dates o on o.id = p.second
    order by p.first, p.second, p.need, p.until desc
    on conflict (course_date_id, other_id, need) do update set held_at = excluded.held_at, other_held_at = excluded.other_held_at,
      overlaps_until = excluded.overlaps_until, room_id = excluded.room_id, instructor_email = excluded.instructor_email`)
}

/** Overlapping future lessons among a person's bookings and the lessons of which the person is a guest. */
export const listPersonClashes = (
  db: Queryable,
  webUserId: number,
  courseId: number,
  language: Language,
): Promise<{ courseId: number; name: string; at: string }[]> =>
  db.query(sql`
    with mine as materialized (
      select l.*, ${lessonCourseName(language)} as shown_name
      from ${effectiveLessons} where takes_place and held_at > localtimestamp and (course_id = ${courseId} or course_id in (
        select b.course_id from bookings b where b.web_user_id = ${webUserId} and b.cancelled_at is null) or id in (
        select d.id from course_dates d join freed_places f on ${isGuestPlace} where f.guest_id = ${webUserId}))
    )
    select distinct on (b.course_id) b.course_id as "courseId", b.shown_name as name, to_char(b.held_at, 'YYYY-MM-DD"T"HH24:MI') as at
    from mine a join mine b on a.held_at < b.ends_at and b.held_at < a.ends_at
    where a.course_id = ${courseId} and b.course_id <> ${courseId}
    order by b.course_id, b.held_at`)

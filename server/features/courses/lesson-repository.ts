import { type Queryable, sql } from '#server/db/client.ts'

/**
 * Every lesson as it takes place, as `l`: its own time, room, venue and instructor, else the course's. A course is in the room whose
 * name its venue has, at the site of its city where both are given.
 */
export const lessons = sql`(
  select d.id, d.course_id, d.held_at, d.state, d.note, d.note2, d.moved_from, d.is_extra, d.calendar_changed_at as changed_at,
    d.held_at + case when d.ends_at is not null and d.ends_at > d.held_at::time then d.ends_at - d.held_at::time
      else greatest(c.end_time - c.start_time, interval '1 minute') end as ends_at,
    coalesce(d.room_id, (
      select r.id from rooms r where r.name = coalesce(d.venue, c.venue) and (r.site = '' or c.city = '' or r.site = c.city)
      order by r.site = c.city desc, r.id limit 1)) as room_id,
    coalesce(d.venue, (select r.name from rooms r where r.id = d.room_id), c.venue) as venue, c.city,
    d.instructor_email as substitute,
    case when d.instructor_email is not null then array[d.instructor_email]
      else array(select ci.email from course_instructors ci where ci.course_id = c.id order by ci.email) end as instructors,
    c.number, c.name as course_name, c.name2 as course_name2, c.season_id,
    d.state = 'planned' and c.cancelled_at is null as takes_place
  from course_dates d join courses c on c.id = d.course_id) l`

export type LessonClash = {
  /** of the lesson asked about */
  courseId: number
  /** 'YYYY-MM-DDTHH:mm' */
  at: string
  otherCourseId: number
  otherName: string
  room: string | null
  instructor: string | null
}

/** Whose lessons are looked at, against everybody's. */
export type ClashScope = { courseId?: number; lessonId?: number; seasonId?: number }

/**
 * Where lessons to come of a course, a season (or one of them) need a room that holds one at a time, or an instructor, while
 * another lesson does.
 */
export const listLessonClashes = (
  db: Queryable,
  { courseId, lessonId, seasonId }: ClashScope,
): Promise<LessonClash[]> => {
  const asked = sql.join(
    [
      ...(courseId === undefined ? [] : [sql`l.course_id = ${courseId}`]),
      ...(lessonId === undefined ? [] : [sql`l.id = ${lessonId}`]),
      ...(seasonId === undefined ? [] : [sql`l.season_id = ${seasonId}`]),
      sql`l.takes_place and l.held_at > localtimestamp - interval '1 day'`,
    ],
    sql` and `,
  )
  // Only lessons of the days asked about are looked at: a lesson ends on the day it begins, or the next.
  return db.query(sql`
    with asked as materialized (select * from ${lessons} where ${asked}),
    others as materialized (
      select * from ${lessons} where l.takes_place
        and l.held_at::date in (select (held_at + d * interval '1 day')::date from asked, unnest(array[-1, 0, 1]) d)
    )
    select a.course_id as "courseId", to_char(a.held_at, 'YYYY-MM-DD"T"HH24:MI') as at, b.course_id as "otherCourseId",
      b.course_name as "otherName",
      (select r.name from rooms r where r.id = a.room_id and a.room_id = b.room_id and not r.is_shared) as room,
      (select min(e) from unnest(a.instructors) e where e = any(b.instructors)) as instructor
    from asked a join others b on b.id <> a.id and a.held_at < b.ends_at and b.held_at < a.ends_at
      and b.held_at::date between a.held_at::date - 1 and a.held_at::date + 1
    where a.instructors && b.instructors
      or a.room_id = b.room_id and exists (select from rooms r where r.id = a.room_id and not r.is_shared)
    order by a.held_at, b.course_id`)
}

/** Where a person with a place or a wait in other courses would have to be at two lessons to come at once. */
export const listPersonClashes = (
  db: Queryable,
  webUserId: number,
  courseId: number,
): Promise<{ courseId: number; name: string; at: string }[]> =>
  db.query(sql`
    with mine as materialized (
      select l.* from ${lessons} where takes_place and held_at > localtimestamp and (course_id = ${courseId} or course_id in (
        select b.course_id from bookings b where b.web_user_id = ${webUserId} and b.cancelled_at is null))
    )
    select distinct on (b.course_id) b.course_id as "courseId", b.course_name as name, to_char(b.held_at, 'YYYY-MM-DD"T"HH24:MI') as at
    from mine a join mine b on a.held_at < b.ends_at and b.held_at < a.ends_at
    where a.course_id = ${courseId} and b.course_id <> ${courseId}
    order by b.course_id, b.held_at`)

import { BOOKING_STATUS } from '#contract/values.ts'
import { effectiveLessons } from '#server/features/courses/lesson-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Attendance that someone else has recorded. */
export type RecordedAttendance = { webUserId: number; isPresent: boolean; isOwn: boolean }

/** Recorded attendance at a lesson. @param actorId account whose own records are marked */
export const listRecordedAttendance = (
  tx: Queryable,
  courseDateId: number,
  actorId: number | null,
): Promise<RecordedAttendance[]> =>
  tx.query(sql`
    select a.web_user_id as "webUserId", a.is_present as "isPresent", coalesce((
      select c.recorded_by = ${actorId}::int from attendance_changes c
      where c.course_date_id = a.course_date_id and c.web_user_id = a.web_user_id and c.changed_at = a.changed_at
      order by c.received_at desc limit 1), false) as "isOwn"
    from attendances a where a.course_date_id = ${courseDateId} and a.is_present is not null order by 1`)

/** Past lesson, with the instructors who should have recorded its attendance. */
export type AttendanceGap = {
  courseDateId: number
  courseId: number
  number: string
  name: string
  name2: string
  /** 'YYYY-MM-DD HH:MM:SS' */
  heldAt: string
  /** whether the lesson took place, nothing has been recorded and the department has not excluded it */
  isGap: boolean
  /** accounts of the instructors, and e-mail addresses of those without an account */
  people: number[]
  addresses: string[]
  /** the displayed name of the instructor if the course has no instructor with an e-mail address */
  unreachable: string[]
}

export const listAttendanceGaps = (tx: Queryable, courseDateIds: readonly number[]): Promise<AttendanceGap[]> =>
  tx.query(sql`
    select l.id as "courseDateId", l.course_id as "courseId", l.number, l.course_name as name, l.course_name2 as name2,
      l.held_at as "heldAt", l.takes_place and l.ends_at < localtimestamp and not exists (
        select from attendances a where a.course_date_id = l.id and a.is_present is not null)
        and not (select d.is_excluded from course_dates d where d.id = l.id) as "isGap",
      array(select u.id from web_users u where u.email = any(l.instructors) and u.deleted_at is null order by 1) as people,
      array(select e.email from unnest(l.instructors) e (email) where not exists (
        select from web_users u where u.email = e.email and u.deleted_at is null) order by 1) as addresses,
      case when l.instructors = '{}' and c.instructor <> '' then array[c.instructor] else '{}' end as unreachable
    from ${effectiveLessons} join courses c on c.id = l.course_id
    where l.id = any(${[...courseDateIds]}::int[]) order by l.held_at, l.id`)

export const updateLessonsReminded = (tx: Queryable, courseDateIds: readonly number[]): Promise<number> =>
  tx.execute(sql`
    update course_dates set reminded_at = clock_timestamp() where id = any(${[...courseDateIds]}::int[])`)

/** Lessons since half a year without attendance whose instructors were not reminded within the past week. */
export const listLessonsToRemind = async (tx: Queryable): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select d.id from course_dates d join courses c on c.id = d.course_id
      where d.state = 'planned' and not d.is_excluded and c.cancelled_at is null
        and d.held_at between localtimestamp - interval '180 days' and localtimestamp - interval '1 day'
        and (d.reminded_at is null or d.reminded_at < clock_timestamp() - interval '7 days')
        and not exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null)
        and not exists (select from settlements s where s.course_id = c.id)
        and exists (select from bookings b where b.course_id = c.id and b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null)
      order by d.id`)
  ).map(({ id }) => id)

import { type Queryable, sql } from '#server/db/client.ts'
import { instructorNames } from '#server/features/courses/repository.ts'

export const findDeskCourse = (
  tx: Queryable,
  courseId: number,
): Promise<{
  id: number
  number: string
  name: string
  name2: string
  categoryId: number
  venue: string
  instructor: string
  isConfirmed: boolean
  isCancelled: boolean
  isOver: boolean
} | null> =>
  tx.maybeOne(sql`
    select c.id, c.number, c.name, c.name2, c.category_id as "categoryId", c.venue, ${instructorNames} as instructor,
      c.is_confirmed as "isConfirmed", c.cancelled_at is not null as "isCancelled", c.closes_at <= clock_timestamp() as "isOver"
    from courses c where c.id = ${courseId}`)

/** `heldAt` as 'YYYY-MM-DD HH:MM:SS' */
export const findDeskLesson = (
  tx: Queryable,
  courseDateId: number,
): Promise<{
  id: number
  courseId: number
  heldAt: string
  movedFrom: string | null
  isExtra: boolean
  state: 'planned' | 'cancelled'
  isAttended: boolean
  isPast: boolean
  isUrgent: boolean
  venue: string
  instructorEmail: string | null
} | null> =>
  tx.maybeOne(sql`
    select d.id, d.course_id as "courseId", d.held_at as "heldAt", d.moved_from as "movedFrom", d.is_extra as "isExtra", d.state,
      exists (select from attendances a where a.course_date_id = d.id and a.is_present is not null) as "isAttended",
      d.held_at < localtimestamp as "isPast",
      d.held_at between localtimestamp and localtimestamp + interval '24 hours' as "isUrgent",
      coalesce(d.venue, (select r.name from rooms r where r.id = d.room_id), c.venue) as venue,
      d.instructor_email as "instructorEmail"
    from course_dates d join courses c on c.id = d.course_id where d.id = ${courseDateId}`)

export const updateLessonState = (
  tx: Queryable,
  courseDateId: number,
  state: 'planned' | 'cancelled',
  { note, note2 }: { note: string; note2: string },
): Promise<number> =>
  tx.execute(sql`update course_dates set state = ${state}, note = ${note}, note2 = ${note2} where id = ${courseDateId}`)

export const touchCourse = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`update courses set has_own_dates = true, revision = revision + 1 where id = ${courseId}`)

/**
 * The instructors of a course and those with further addresses: ids of their accounts, addresses of those without one, and the
 * name of an instructor who is only named, without any address.
 */
export const listInstructorsOf = (
  tx: Queryable,
  courseId: number,
  emails: readonly string[],
): Promise<{ people: number[]; addresses: string[]; names: string[] }> =>
  tx.one(sql`
    with instructor as (
      select email from course_instructors where course_id = ${courseId}
      union select email from instructors where email = any(${[...emails]}::text[])
    ), account as (
      select u.id, u.email from web_users u join instructor i on i.email = u.email where u.deleted_at is null
    )
    select array(select id from account order by 1) as people,
      array(select email from instructor where email not in (select email from account) order by 1) as addresses,
      array(select c.instructor from courses c where c.id = ${courseId} and c.instructor <> ''
        and not exists (select from course_instructors where course_id = c.id)) as names`)

/** Substitutes of the lessons of a course that are still to come. */
export const listSubstitutes = async (tx: Queryable, courseId: number): Promise<string[]> =>
  (
    await tx.query<{ email: string }>(sql`
      select distinct instructor_email as email from course_dates
      where course_id = ${courseId} and instructor_email is not null and held_at > localtimestamp order by 1`)
  ).map(({ email }) => email)

/** Others of a category that are to be seen and have free places. */
export const listFreeCourses = (
  tx: Queryable,
  categoryId: number,
  besideId: number,
): Promise<{ number: string; name: string; name2: string }[]> =>
  tx.query(sql`
    select c.number, c.name, c.name2 from courses c join seasons s on s.id = c.season_id
    where c.category_id = ${categoryId} and c.id <> ${besideId} and c.taken < c.capacity and c.cancelled_at is null
      and not s.is_draft and s.viewable_from <= clock_timestamp() and c.closes_at > clock_timestamp()
    order by c.starts_on, c.start_time limit 10`)

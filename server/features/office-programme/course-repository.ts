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

export const touchCourse = (tx: Queryable, courseId: number): Promise<number> =>
  tx.execute(sql`update courses set has_own_dates = true, revision = revision + 1 where id = ${courseId}`)

/**
 * Instructors of a course and additional addresses: ids of their accounts, addresses of those without an account, and
 * the names of instructors without any address.
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

/** Other visible courses of a category with free places. */
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

export const updateCancelled = (
  tx: Queryable,
  courseId: number,
  isCancelled: boolean,
  { note, note2 }: { note: string; note2: string },
): Promise<number> =>
  tx.execute(sql`
    update courses set cancelled_at = case when ${isCancelled} then clock_timestamp() end, note = ${note}, note2 = ${note2},
      revision = revision + 1
    where id = ${courseId}`)

export const updateConfirmed = (tx: Queryable, courseId: number, isConfirmed: boolean): Promise<number> =>
  tx.execute(sql`update courses set is_confirmed = ${isConfirmed}, revision = revision + 1 where id = ${courseId}`)

export const updateNumber = (tx: Queryable, courseId: number, number: string): Promise<number> =>
  tx.execute(sql`update courses set number = ${number} where id = ${courseId}`)

export const findCourseId = async (tx: Queryable, number: string): Promise<number | null> =>
  (await tx.maybeOne<{ id: number }>(sql`select id from courses where number = ${number}`))?.id ?? null

/** Bookings of any of the courses: active ones only, or cancelled ones too. */
export const hasBookings = async (
  tx: Queryable,
  courseIds: readonly number[],
  { isActive }: { isActive: boolean },
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from bookings where course_id = any(${courseIds}::int[]) and (not ${isActive} or cancelled_at is null) limit 1`)) !==
  null

export const hasAlbums = async (tx: Queryable, courseIds: readonly number[]): Promise<boolean> =>
  (await tx.maybeOne(sql`select from albums where course_id = any(${courseIds}::int[]) limit 1`)) !== null

export const listLessonIds = async (tx: Queryable, courseIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(
      sql`select id from course_dates where course_id = any(${courseIds}::int[]) order by id`,
    )
  ).map(({ id }) => id)

export const deleteCourses = (tx: Queryable, courseIds: readonly number[]): Promise<number> =>
  tx.execute(sql`delete from courses where id = any(${courseIds}::int[])`)

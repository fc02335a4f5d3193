import type { ActOf } from '#contract/acts/acts.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/** `path`: the page of the portal that a message to them links to */
export type Audience = { people: number[]; courses: number[]; path: string }

/** Recipients of a message to a course, a lesson, a waiting list, a category or a person; null if `id` does not exist. */
export async function findAudience(
  tx: Queryable,
  to: ActOf<'send-message'>['to'],
  id: number,
): Promise<Audience | null> {
  const exists = async (query: SqlFragment) => (await tx.maybeOne(query)) !== null
  const list = async (condition: SqlFragment) => {
    const rows = await tx.query<{ id: number; courseId: number }>(sql`
      select distinct b.web_user_id as id, b.course_id as "courseId" from bookings b join courses c on c.id = b.course_id
      where b.cancelled_at is null and ${condition} order by 1`)
    return { people: [...new Set(rows.map(row => row.id))], courses: [...new Set(rows.map(row => row.courseId))] }
  }
  const ofCourse = async (courseId: number, state: number): Promise<Audience> => {
    const { people } = await list(sql`b.course_id = ${courseId} and b.state = ${state}`)
    return { people, courses: [courseId], path: `/course-details/${courseId}` }
  }
  if (to === 'course' || to === 'waiting') {
    if (!(await exists(sql`select from courses where id = ${id}`))) return null
    return ofCourse(id, to === 'course' ? Booked : Waitinglist)
  }
  if (to === 'lesson') {
    const lesson = await tx.maybeOne<{ courseId: number }>(sql`
      select course_id as "courseId" from course_dates where id = ${id}`)
    return lesson && ofCourse(lesson.courseId, Booked)
  }
  if (to === 'category') {
    if (!(await exists(sql`select from categories where id = ${id}`))) return null
    const booked = await list(
      sql`b.state = ${Booked} and c.category_id = ${id} and c.closes_at > clock_timestamp() and c.cancelled_at is null`,
    )
    return { ...booked, path: '/courses/booked' }
  }
  if (!(await exists(sql`select from web_users where id = ${id} and deleted_at is null`))) return null
  return { people: [id], courses: [], path: '/messages' }
}

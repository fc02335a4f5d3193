import { sql } from '#server/db/client.ts'
import { notifyCourse, openCourse } from '../course-service.ts'
import type { ActHandler, Desk } from '../desk-service.ts'

async function setConfirmed(desk: Desk, courseId: number, isConfirmed: boolean): Promise<undefined> {
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) desk.fail('failed.cancelled')
  if (course.isConfirmed === isConfirmed) return
  desk.note({ before: { confirmed: course.isConfirmed }, after: { confirmed: isConfirmed } })
  await desk.tx.execute(sql`
    update courses set is_confirmed = ${isConfirmed}, revision = revision + 1 where id = ${courseId}`)
  desk.programmeChanged()
  await notifyCourse(desk, course, { key: isConfirmed ? 'confirmCourse' : 'unconfirmCourse' }, { instructors: [] })
}

/** It takes place. Tells the booked. */
export const confirmCourse: ActHandler<'confirm-course'> = (desk, { courseId }) => setConfirmed(desk, courseId, true)

/** That is not certain after all. Tells the booked. */
export const unconfirmCourse: ActHandler<'unconfirm-course'> = (desk, { courseId }) =>
  setConfirmed(desk, courseId, false)

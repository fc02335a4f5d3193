import { sql } from '#server/db/client.ts'
import { endBookings, listPeopleIn } from '#server/features/bookings/desk-repository.ts'
import type { ActHandler, Desk } from '#server/features/office/desk-service.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { notifyCancelled } from '../cancellation-service.ts'
import { listSubstitutes } from '../course-repository.ts'
import { notifyCourse, openCourse, tellInstructors } from '../course-service.ts'

/** All bookings and waits end without charge. Tells them, with the courses of the category that have free places. */
export const cancelCourse: ActHandler<'cancel-course'> = async (desk, { courseId, note = '', note2 = '' }) => {
  const { tx } = desk
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) return
  if (course.isOver) desk.fail('failed.over')
  const people = await listPeopleIn(tx, courseId, [1, 2])
  await endBookings(tx, courseId)
  await tx.execute(sql`
    update courses set cancelled_at = clock_timestamp(), note = ${note}, note2 = ${note2}, revision = revision + 1 where id = ${courseId}`)
  await refreshOpenings(tx)
  desk.programmeChanged()
  desk.note({ before: { cancelled: false }, after: { cancelled: true, bookings: people.length } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await notifyCancelled(desk, course, people, note, note2)
}

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

/** Open for booking again, without bookings. Notifies instructors and substitutes. */
export const restoreCourse: ActHandler<'restore-course'> = async (desk, { courseId, note = '', note2 = '' }) => {
  const course = await openCourse(desk, courseId)
  if (!course.isCancelled) return
  await desk.tx.execute(sql`
    update courses set cancelled_at = null, note = ${note}, note2 = ${note2}, revision = revision + 1 where id = ${courseId}`)
  await refreshOpenings(desk.tx)
  desk.programmeChanged()
  desk.note({ before: { cancelled: true }, after: { cancelled: false } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  const instructors = await listSubstitutes(desk.tx, courseId)
  await tellInstructors(desk, course, { key: 'restoreCourse', note, note2 }, { instructors })
}

import { sql } from '#server/db/client.ts'
import { endBookings, listPeopleIn } from '#server/features/bookings/desk-repository.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { notifyCancelled } from '../cancellation-service.ts'
import { openCourse } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

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

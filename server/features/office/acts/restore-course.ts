import { sql } from '#server/db/client.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { listSubstitutes } from '../course-repository.ts'
import { openCourse, tellInstructors } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

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

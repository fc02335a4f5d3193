import { sql } from '#server/db/client.ts'
import { lessonsChanged, openLesson, sayMoment, tellCourse } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** Stays visible as cancelled. Tells the booked, the instructors and the substitute; less than a day ahead urgently. */
export const cancelLesson: ActHandler<'cancel-lesson'> = async (desk, { courseDateId, note = '', note2 = '' }) => {
  const { course, lesson } = await openLesson(desk, courseDateId)
  if (lesson.state === 'cancelled') return
  if (lesson.isAttended) desk.askReason('reason.attended')
  else if (lesson.isPast) desk.askReason('reason.past')
  desk.note({ before: { state: 'planned' }, after: { state: 'cancelled' } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await desk.tx.execute(sql`
    update course_dates set state = 'cancelled', note = ${note}, note2 = ${note2} where id = ${courseDateId}`)
  await lessonsChanged(desk, course.id)
  await tellCourse(desk, course, {
    key: 'cancelLesson',
    note,
    note2,
    isUrgent: lesson.isUrgent,
    isForInstructors: true,
    values: () => ({ at: sayMoment(lesson.heldAt) }),
    emails: lesson.instructorEmail === null ? [] : [lesson.instructorEmail],
  })
}

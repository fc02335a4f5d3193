import { sql } from '#server/db/client.ts'
import { askAboutClashes, lessonsChanged, openLesson, sayMoment, tellCourse } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** Takes place after all. Tells whom the cancellation told. */
export const restoreLesson: ActHandler<'restore-lesson'> = async (desk, { courseDateId, note = '', note2 = '' }) => {
  const { course, lesson } = await openLesson(desk, courseDateId)
  if (lesson.state === 'planned') return
  if (lesson.isPast) desk.askReason('reason.past')
  desk.note({ before: { state: 'cancelled' }, after: { state: 'planned' } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await desk.tx.execute(sql`
    update course_dates set state = 'planned', note = ${note}, note2 = ${note2} where id = ${courseDateId}`)
  await askAboutClashes(desk, { lessonId: courseDateId })
  await lessonsChanged(desk, course.id)
  await tellCourse(desk, course, {
    key: 'restoreLesson',
    note,
    note2,
    isUrgent: lesson.isUrgent,
    isForInstructors: true,
    values: () => ({ at: sayMoment(lesson.heldAt) }),
    emails: lesson.instructorEmail === null ? [] : [lesson.instructorEmail],
  })
}

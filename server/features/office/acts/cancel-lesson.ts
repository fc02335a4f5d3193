import { openLesson, setLessonState } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** Stays visible as cancelled. */
export const cancelLesson: ActHandler<'cancel-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isAttended, isPast } = opened.lesson
  if (state === 'cancelled') return
  if (isAttended) desk.askReason('reason.attended')
  else if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'cancelled', notes)
}

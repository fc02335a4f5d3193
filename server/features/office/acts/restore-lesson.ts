import { openLesson, setLessonState } from '../course-service.ts'
import type { ActHandler } from '../desk-service.ts'

/** Takes place after all. */
export const restoreLesson: ActHandler<'restore-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isPast } = opened.lesson
  if (state === 'planned') return
  if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'planned', notes)
}

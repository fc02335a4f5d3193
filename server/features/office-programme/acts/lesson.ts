import type { ActHandler, OfficeContext } from '#server/features/office/desk-service.ts'
import { hasBookings } from '../course-repository.ts'
import {
  formatDateTime,
  lockCourseToEdit,
  notifyCourseAudience,
  rejectTimesSkippedByDst,
  requireClashesAccepted,
  requireReasonForUnusualDay,
  updateFieldsDerivedFromLessons,
} from '../course-service.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { editLessons } from '../lesson-edit-service.ts'
import { deleteLessons, findOfficeLessonRow, hasRecordedAttendance, insertExtraLesson } from '../lesson-repository.ts'

/** Adds a lesson to a course and notifies its participants. */
export const addLesson: ActHandler<'add-lesson'> = async (desk, { courseId, date, startTime, endTime }) => {
  const course = await lockCourseToEdit(desk, courseId)
  if (course.isCancelled) desk.fail('failed.cancelled')
  if (endTime <= startTime) desk.fail('failed.timeOrder')
  const heldAt = `${date} ${startTime}:00`
  await rejectTimesSkippedByDst(desk, [heldAt])
  const added = await insertExtraLesson(desk.tx, courseId, { heldAt, endTime })
  if (added === null) return desk.fail('failed.sameTime')
  requireReasonForUnusualDay(desk, date, added.isPast)
  await requireClashesAccepted(desk, { lessonIds: [added.id] })
  desk.note({ objects: { courseDateId: added.id }, after: { date, startTime, endTime } })
  await updateFieldsDerivedFromLessons(desk, courseId)
  await notifyCourseAudience(
    desk,
    course,
    { key: 'addLesson', values: () => ({ at: formatDateTime(heldAt) }) },
    { instructors: [] },
  )
  return { courseDateId: added.id }
}

/**
 * Deletes a lesson without attendance from a course without bookings. A lesson of a booked course can only be
 * cancelled.
 */
export async function removeLesson(desk: OfficeContext, id: number): Promise<void> {
  const lesson = (await findOfficeLessonRow(desk.tx, id)) ?? desk.fail('unknown.lesson')
  const course = await lockCourseToEdit(desk, lesson.courseId)
  if (await hasBookings(desk.tx, [course.id], { isActive: true })) desk.fail('failed.inUse')
  if (await hasRecordedAttendance(desk.tx, [id])) desk.fail('failed.inUse')
  desk.note({ before: { heldAt: lesson.heldAt } })
  await deleteLessons(desk.tx, [id])
  await updateFieldsDerivedFromLessons(desk, course.id)
}

/**
 * Changes a lesson's time, room or instructor. Notifies participants, instructors and the substitute of the old and new
 * values.
 */
export const changeLesson: ActHandler<'change-lesson'> = async (desk, act) =>
  void (await notifyUpdates(desk, await editLessons(desk, [act], act)))

/** Cancels a lesson, which stays visible as cancelled. */
export const cancelLesson: ActHandler<'cancel-lesson'> = async (desk, { courseDateId, ...notes }) =>
  void (await notifyUpdates(desk, await editLessons(desk, [{ courseDateId, cancel: true }], notes)))

/** Changes or cancels lessons of any number of courses. An entry without fields changes nothing. */
export const changeLessons: ActHandler<'change-lessons'> = async (desk, { lessons, ...notes }) =>
  void (await notifyUpdates(desk, await editLessons(desk, lessons, notes)))

/** Restores a cancelled lesson. */
export const restoreLesson: ActHandler<'restore-lesson'> = async (desk, { courseDateId, ...notes }) =>
  void (await notifyUpdates(desk, await editLessons(desk, [{ courseDateId, restore: true }], notes)))

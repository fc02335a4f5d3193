import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { hasBookings } from '../course-repository.ts'
import {
  formatLessonTime,
  lockCourseToEdit,
  notifyCourseAudience,
  rejectTimesSkippedByDst,
  requireClashesAccepted,
  requireReasonForUnusualDay,
  requireRoomsOpen,
  updateFieldsDerivedFromLessons,
} from '../course-service.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { editLessons } from '../lesson-edit-service.ts'
import { deleteLessons, findOfficeLessonRow, hasRecordedAttendance, insertExtraLesson } from '../lesson-repository.ts'

/** Adds a lesson to a course and notifies its participants. */
const addLesson: ActHandler<'add-lesson'> = async (office, { courseId, date, startTime, endTime }) => {
  const course = await lockCourseToEdit(office, courseId)
  if (course.isCancelled) office.fail('failed.cancelled')
  if (endTime <= startTime) office.fail('failed.timeOrder')
  const heldAt = `${date} ${startTime}:00`
  await rejectTimesSkippedByDst(office, [heldAt])
  const added = await insertExtraLesson(office.tx, courseId, { heldAt, endTime })
  if (added === null) return office.fail('failed.sameTime')
  requireReasonForUnusualDay(office, date, added.isPast)
  await requireClashesAccepted(office, { lessonIds: [added.id] })
  await requireRoomsOpen(office, { lessonIds: [added.id] })
  office.note({ objects: { courseDateId: added.id }, after: { date, startTime, endTime } })
  await updateFieldsDerivedFromLessons(office, courseId)
  await notifyCourseAudience(
    office,
    course,
    { key: 'addLesson', values: language => ({ at: formatLessonTime(language, { heldAt, until: endTime }) }) },
    { instructors: [] },
  )
  return { courseDateId: added.id }
}

/**
 * Deletes a lesson without attendance from a course without bookings. A lesson of a booked course can only be
 * cancelled.
 */
export async function removeLesson(office: OfficeContext, id: number): Promise<void> {
  const lesson = (await findOfficeLessonRow(office.tx, id)) ?? office.fail('unknown.lesson')
  const course = await lockCourseToEdit(office, lesson.courseId)
  if (await hasBookings(office.tx, [course.id], { isActive: true })) office.fail('failed.inUse')
  if (await hasRecordedAttendance(office.tx, [id])) office.fail('failed.inUse')
  office.note({ before: { heldAt: lesson.heldAt } })
  await deleteLessons(office.tx, [id])
  await updateFieldsDerivedFromLessons(office, course.id)
}

/**
 * Changes a lesson's time, room or instructor. Notifies participants, instructors and the substitute of the old and new
 * values.
 */
const changeLesson: ActHandler<'change-lesson'> = async (office, act) =>
  void (await notifyUpdates(office, await editLessons(office, [act], act)))

/** Cancels a lesson, which stays visible as cancelled. */
const cancelLesson: ActHandler<'cancel-lesson'> = async (office, { courseDateId, ...notes }) =>
  void (await notifyUpdates(office, await editLessons(office, [{ courseDateId, cancel: true }], notes)))

/** Changes or cancels lessons of any number of courses. An entry without fields changes nothing. */
const changeLessons: ActHandler<'change-lessons'> = async (office, { lessons, ...notes }) =>
  void (await notifyUpdates(office, await editLessons(office, lessons, notes)))

/** Restores a cancelled lesson. */
const restoreLesson: ActHandler<'restore-lesson'> = async (office, { courseDateId, ...notes }) =>
  void (await notifyUpdates(office, await editLessons(office, [{ courseDateId, restore: true }], notes)))

export const lessonHandlers = {
  'add-lesson': addLesson,
  'cancel-lesson': cancelLesson,
  'restore-lesson': restoreLesson,
  'change-lesson': changeLesson,
  'change-lessons': changeLessons,
}

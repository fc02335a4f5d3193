import { endBookings, listPeopleIn, updateWithoutCharge } from '#server/features/bookings/desk-repository.ts'
import { reverseCourse } from '#server/features/money/settlement-service.ts'
import { type ActHandler, accountOf } from '#server/features/office/desk-service.ts'
import { refreshOpenings } from '#server/import/write/courses.ts'
import { notifyCancelled } from '../cancellation-service.ts'
import { editCourses } from '../course-edit-service.ts'
import { updateCancelled } from '../course-repository.ts'
import { notifyInstructors, openCourse } from '../course-service.ts'
import { notifyUpdates } from '../course-update-service.ts'
import { listSubstitutes } from '../lesson-repository.ts'

/** Cancels a course: ends all bookings and waiting-list entries without charge, and suggests free courses of the category. */
export const cancelCourse: ActHandler<'cancel-course'> = async (desk, { courseId, note = '', note2 = '' }) => {
  const { tx } = desk
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) return
  if (course.isOver) desk.fail('failed.over')
  const people = await listPeopleIn(tx, courseId, [1, 2])
  await endBookings(tx, courseId)
  await updateCancelled(tx, courseId, true, { note, note2 })
  await updateWithoutCharge(tx, courseId)
  await reverseCourse(tx, courseId, { region: desk.config.region, actorId: accountOf(desk.actor) })
  await refreshOpenings(tx)
  desk.programmeChanged()
  desk.note({ before: { cancelled: false }, after: { cancelled: true, bookings: people.length } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await notifyCancelled(desk, course, people, note, note2)
}

/** Applies the same change to many courses. */
export const changeCourses: ActHandler<'change-courses'> = async (desk, { courseIds, ...edit }) =>
  void (await notifyUpdates(desk, await editCourses(desk, courseIds, edit)))

/** Confirms that a course takes place and notifies participants and instructors. */
export const confirmCourse: ActHandler<'confirm-course'> = async (desk, { courseId }) =>
  void (await notifyUpdates(desk, await editCourses(desk, [courseId], { confirmed: true })))

/** Withdraws the confirmation and notifies participants and instructors. */
export const unconfirmCourse: ActHandler<'unconfirm-course'> = async (desk, { courseId }) =>
  void (await notifyUpdates(desk, await editCourses(desk, [courseId], { confirmed: false })))

/** Reopens a cancelled course for booking, without its former bookings. Notifies instructors and substitutes. */
export const restoreCourse: ActHandler<'restore-course'> = async (desk, { courseId, note = '', note2 = '' }) => {
  const course = await openCourse(desk, courseId)
  if (!course.isCancelled) return
  await updateCancelled(desk.tx, courseId, false, { note, note2 })
  await refreshOpenings(desk.tx)
  desk.programmeChanged()
  desk.note({ before: { cancelled: true }, after: { cancelled: false } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  const instructors = await listSubstitutes(desk.tx, courseId)
  await notifyInstructors(desk, course, { key: 'restoreCourse', note, note2 }, { instructors })
}

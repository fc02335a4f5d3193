import type { ActOf } from '#contract/acts/acts.ts'
import type { ActHandler, Desk } from '#server/features/office/desk-service.ts'
import { translate } from '#server/texts/translate.ts'
import { hasBookings } from '../course-repository.ts'
import {
  type DeskCourse,
  type DeskLesson,
  formatMoment,
  lessonsChanged,
  listEverybodyIn,
  notifyCourse,
  openCourse,
  openLesson,
  requireClashesAccepted,
  requireDayAccepted,
  requireExistingTimes,
} from '../course-service.ts'
import { findInstructorName } from '../instructor-repository.ts'
import {
  deleteLessons,
  findDeskLesson,
  hasAttendance,
  insertExtraLesson,
  isTimeTaken,
  updateLesson,
  updateLessonState,
} from '../lesson-repository.ts'
import { isRoom } from '../room-repository.ts'

type Opened = { course: DeskCourse; lesson: DeskLesson }
type Notes = { note?: string; note2?: string }

/** Adds a lesson to a course and notifies its participants. */
export const addLesson: ActHandler<'add-lesson'> = async (desk, { courseId, date, startTime, endTime }) => {
  const course = await openCourse(desk, courseId)
  if (course.isCancelled) desk.fail('failed.cancelled')
  if (endTime <= startTime) desk.fail('failed.timeOrder')
  const heldAt = `${date} ${startTime}:00`
  await requireExistingTimes(desk, [heldAt])
  const added = await insertExtraLesson(desk.tx, courseId, { heldAt, endTime })
  if (added === null) return desk.fail('failed.sameTime')
  requireDayAccepted(desk, date, added.isPast)
  await requireClashesAccepted(desk, { lessonId: added.id })
  desk.note({ objects: { courseDateId: added.id }, after: { date, startTime, endTime } })
  await lessonsChanged(desk, courseId)
  await notifyCourse(
    desk,
    course,
    { key: 'addLesson', values: () => ({ at: formatMoment(heldAt) }) },
    { instructors: [] },
  )
  return { courseDateId: added.id }
}

/** Deletes a lesson without attendance, in a course without bookings. A lesson of a booked course can only be cancelled. */
export async function removeLesson(desk: Desk, id: number): Promise<void> {
  const lesson = (await findDeskLesson(desk.tx, id)) ?? desk.fail('unknown.lesson')
  const course = await openCourse(desk, lesson.courseId)
  if (await hasBookings(desk.tx, [course.id], { isActive: true })) desk.fail('failed.inUse')
  if (await hasAttendance(desk.tx, [id])) desk.fail('failed.inUse')
  desk.note({ before: { heldAt: lesson.heldAt } })
  await deleteLessons(desk.tx, [id])
  await lessonsChanged(desk, course.id)
}

/** Cancels a lesson, which stays visible as cancelled. */
export const cancelLesson: ActHandler<'cancel-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isAttended, isPast } = opened.lesson
  if (state === 'cancelled') return
  if (isAttended) desk.askReason('reason.attended')
  else if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'cancelled', notes)
}

/** Reinstates a cancelled lesson. */
export const restoreLesson: ActHandler<'restore-lesson'> = async (desk, { courseDateId, ...notes }) => {
  const opened = await openLesson(desk, courseDateId)
  const { state, isPast } = opened.lesson
  if (state === 'planned') return
  if (isPast) desk.askReason('reason.past')
  await setLessonState(desk, opened, 'planned', notes)
}

/** Notifies participants, instructors and the substitute; less than a day ahead as urgent. */
async function setLessonState(
  desk: Desk,
  { course, lesson }: Opened,
  state: DeskLesson['state'],
  { note = '', note2 = '' }: Notes,
): Promise<void> {
  desk.note({ before: { state: lesson.state }, after: { state } })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await updateLessonState(desk.tx, lesson.id, state, { note, note2 })
  if (state === 'planned') await requireClashesAccepted(desk, { lessonId: lesson.id })
  await lessonsChanged(desk, course.id)
  await notifyCourse(
    desk,
    course,
    {
      key: state === 'planned' ? 'restoreLesson' : 'cancelLesson',
      note,
      note2,
      isUrgent: lesson.isUrgent,
      values: () => ({ at: formatMoment(lesson.heldAt) }),
    },
    { instructors: lesson.instructorEmail === null ? [] : [lesson.instructorEmail] },
  )
}

/** Changes time, room or instructor of a lesson. Notifies participants, instructors and substitute of old and new values. */
export const changeLesson: ActHandler<'change-lesson'> = async (desk, act) => {
  const { courseDateId, date, startTime, endTime, roomId, venue, instructorEmail, note = '', note2 = '' } = act
  const { course, lesson } = await openLesson(desk, courseDateId)
  const { tx } = desk
  if (lesson.isAttended) desk.askReason('reason.attended')
  const time = startTime === undefined ? lesson.heldAt.slice(11) : `${startTime}:00`
  const heldAt = `${date ?? lesson.heldAt.slice(0, 10)} ${time}`
  const isMoved = heldAt !== lesson.heldAt
  if (endTime !== undefined && endTime <= heldAt.slice(11, 16)) desk.fail('failed.timeOrder')
  if (isMoved) {
    await requireExistingTimes(desk, [heldAt])
    if (await isTimeTaken(tx, { courseId: course.id, heldAt, exceptId: courseDateId })) desk.fail('failed.sameTime')
  }
  if (roomId && !(await isRoom(tx, roomId))) desk.fail('unknown.rooms')
  if (instructorEmail && (await findInstructorName(tx, instructorEmail)) === null) desk.fail('failed.unknownInstructor')
  await updateLesson(tx, courseDateId, {
    heldAt: isMoved ? heldAt : undefined,
    endTime,
    roomId,
    venue,
    instructorEmail: instructorEmail === '' ? null : instructorEmail,
    note,
    note2,
  })
  const after = await findDeskLesson(tx, courseDateId)
  if (after === null) return
  if (isMoved) requireDayAccepted(desk, heldAt.slice(0, 10), after.isPast)
  await requireClashesAccepted(desk, { lessonId: courseDateId })
  desk.note({
    before: { heldAt: lesson.heldAt, venue: lesson.venue, hasSubstitute: lesson.instructorEmail !== null },
    after: { heldAt, venue: after.venue, hasSubstitute: after.instructorEmail !== null },
  })
  desk.noteText([note, note2].filter(Boolean).join('\n'))
  await lessonsChanged(desk, course.id)
  await notifyLessonChanged(desk, { course, lesson, after }, act)
}

async function notifyLessonChanged(
  desk: Desk,
  { course, lesson, after }: Opened & { after: DeskLesson },
  { endTime, note = '', note2 = '' }: ActOf<'change-lesson'>,
): Promise<void> {
  const nameOf = async (email: string | null) =>
    email === null ? course.instructor : ((await findInstructorName(desk.tx, email)) ?? '')
  const [from, to] = [await nameOf(lesson.instructorEmail), await nameOf(after.instructorEmail)]
  const isMoved = lesson.heldAt !== after.heldAt
  const changes = [
    ...(isMoved ? [{ key: 'time', from: formatMoment(lesson.heldAt), to: formatMoment(after.heldAt) }] : []),
    ...(lesson.venue === after.venue ? [] : [{ key: 'room', from: lesson.venue, to: after.venue }]),
    ...(from === to ? [] : [{ key: 'instructor', from, to }]),
  ]
  await notifyCourse(
    desk,
    course,
    {
      key: 'changeLesson',
      note,
      note2,
      isUrgent: lesson.isUrgent || after.isUrgent,
      values: language => ({
        at: formatMoment(lesson.heldAt),
        changes: changes.map(({ key, ...values }) => translate(language, `office.notice.${key}`, values)).join('\n'),
      }),
    },
    {
      ...((isMoved || endTime !== undefined || lesson.venue !== after.venue) && {
        people: await listEverybodyIn(desk, course.id),
      }),
      instructors: [lesson.instructorEmail, after.instructorEmail].flatMap(email => email ?? []),
    },
  )
}

import { isDeepStrictEqual } from 'node:util'
import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { namesOfVenues } from '#server/features/courses/rules.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listAbsentInstructors } from './absence-repository.ts'
import { listOfficeCourseRows, type OfficeCourseRow } from './course-repository.ts'
import {
  formatDateTime,
  formatLessonTime,
  prefixRejectionWithName,
  rejectTimesSkippedByDst,
  requireClashesAccepted,
  requireReasonForUnusualDay,
  requireRoomsOpen,
  updateFieldsDerivedFromLessons,
} from './course-service.ts'
import type { CourseUpdate } from './course-update-service.ts'
import {
  type LessonValues,
  listLessonsAtTimes,
  listOfficeLessonRows,
  listReplacedLessons,
  moveLessonsToTemporaryTimes,
  type OfficeLessonRow,
  restoreFirstLessons,
  storeReplacedValues,
  updateLessons,
} from './lesson-repository.ts'
import { hasUnknownInstructor, hasUnknownRoom } from './table-repository.ts'

export type LessonEdit = {
  courseDateId: number
  cancel?: true
  restore?: true
  date?: string
  startTime?: string
  endTime?: string
  roomId?: number | null
  venue?: string
  /** substitute instructor; if empty, the course's own instructors teach again */
  instructorEmail?: string | null
}

type Notes = { note?: string; note2?: string }
/** Ids of the action itself, if it can be undone, and of the action that it undoes. */
type Undo = { actId?: string; undoable?: boolean | undefined; undoes?: string | undefined }
type Change = { course: OfficeCourseRow; before: OfficeLessonRow; edit: LessonEdit; values: LessonValues }

const VALUES = ['date', 'startTime', 'endTime', 'roomId', 'venue', 'instructorEmail'] as const
const valuesIn = (edit: LessonEdit) => VALUES.filter(name => edit[name] !== undefined)

/** Whether an edit would change its lesson. */
function isChange({ before, edit, values }: Change): boolean {
  if (edit.cancel) return before.state === 'planned'
  if (edit.restore) return before.state === 'cancelled'
  return valuesIn(edit).length > 0 && !isDeepStrictEqual(values, before)
}

const nameOf = ({ course, before }: Change, isNamed: boolean) =>
  isNamed ? `${course.number}, ${formatDateTime(before.heldAt)}` : null

function valuesAfter(row: OfficeLessonRow, edit: LessonEdit, notes: Required<Notes>): LessonValues {
  const { date, startTime, endTime, roomId, venue, instructorEmail } = edit
  const before = { ...row, ...notes }
  if (edit.cancel || edit.restore) return { ...before, state: edit.cancel ? 'cancelled' : 'planned' }
  const [day, time] = before.heldAt.split(' ')
  const heldAt = `${date ?? day} ${startTime === undefined ? time : `${startTime}:00`}`
  const planned = before.movedFrom ?? before.heldAt
  const isMoved = heldAt !== before.heldAt
  return {
    ...before,
    heldAt,
    // A lesson that was moved back to its planned time is no longer considered moved.
    movedFrom: isMoved ? (before.isExtra || planned === heldAt ? null : planned) : before.movedFrom,
    ownEndsAt: endTime === undefined ? before.ownEndsAt : `${endTime}:00`,
    // A new room replaces the lesson's own venue, and a new venue its own room.
    ownRoomId: roomId === undefined ? (venue ? null : before.ownRoomId) : roomId,
    ownVenue: venue === undefined ? (roomId ? null : before.ownVenue) : venue || null,
    instructorEmail: instructorEmail === undefined ? before.instructorEmail : instructorEmail || null,
  }
}

/**
 * Locks the lessons' courses. A single course is the action's main row; several are locked in the order of their ids.
 * @throws ActRejected
 */
async function openLessons(
  office: OfficeContext,
  edits: readonly LessonEdit[],
  { note = '', note2 = '', undoes }: Notes & Undo,
): Promise<Change[]> {
  const ids = edits.map(({ courseDateId }) => courseDateId)
  if (new Set(ids).size < ids.length) office.fail('failed.lessonTwice')
  const found = await listOfficeLessonRows(office.tx, ids)
  if (found.length < ids.length) office.fail('unknown.lesson')
  const courseIds = [...new Set(found.map(({ courseId }) => courseId))]
  const [courseId = 0] = courseIds
  if (courseIds.length === 1) await office.open('courses', courseId)
  else await office.touch('courses', ...courseIds)
  const courses = new Map((await listOfficeCourseRows(office.tx, courseIds)).map(course => [course.id, course]))
  const byId = new Map(edits.map(edit => [edit.courseDateId, edit]))
  const replaced = undoes === undefined ? null : await listReplacedLessons(office.tx, undoes)
  return (await listOfficeLessonRows(office.tx, ids)).flatMap(before => {
    const [course, edit] = [courses.get(before.courseId), byId.get(before.id)]
    if (!course || !edit) return []
    return {
      course,
      before,
      edit,
      values: { ...valuesAfter(before, edit, { note, note2 }), ...replaced?.get(before.id) },
    }
  })
}

const keyOf = ({ courseId, heldAt }: { courseId: number; heldAt: string }) => `${courseId} ${heldAt}`

/**
 * Writes changed lessons. No two lessons of a course may start at the same time, including those being moved.
 * @throws ActRejected
 */
async function writeLessons(office: OfficeContext, changes: readonly Change[]): Promise<void> {
  const moved = changes.filter(({ before, values }) => values.heldAt !== before.heldAt)
  const wanted = moved.map(({ before, values }) => ({ courseId: before.courseId, heldAt: values.heldAt }))
  await rejectTimesSkippedByDst(
    office,
    wanted.map(({ heldAt }) => heldAt),
  )
  const movedIds = moved.map(({ before }) => before.id)
  const taken = new Set((await listLessonsAtTimes(office.tx, wanted, movedIds)).map(keyOf))
  for (const change of moved) {
    const key = keyOf({ courseId: change.course.id, heldAt: change.values.heldAt })
    prefixRejectionWithName(nameOf(change, changes.length > 1), () => {
      if (taken.has(key)) office.fail('failed.sameTime')
    })
    taken.add(key)
  }
  const left = new Set(moved.map(({ before }) => keyOf(before)))
  if (wanted.some(time => left.has(keyOf(time)))) await moveLessonsToTemporaryTimes(office.tx, movedIds)
  await updateLessons(
    office.tx,
    changes.map(({ values }) => values),
  )
}

/**
 * Changes and cancels lessons of any number of courses, by the same rules as for a single lesson.
 * @returns notices to participants, instructors and substitutes, one entry per lesson of a course that takes place
 * @throws ActRejected
 */
export async function editLessons(
  office: OfficeContext,
  edits: readonly LessonEdit[],
  { note = '', note2 = '', actId, undoable, undoes }: Notes & Undo,
): Promise<CourseUpdate[]> {
  const { tx } = office
  const isNamed = edits.length > 1
  const opened = await openLessons(office, edits, { note, note2, undoes })
  noteObjects(office, opened)
  office.noteText([note, note2].filter(Boolean).join('\n'))
  const changes = opened.filter(isChange)
  const changedIds = new Set(changes.map(({ course }) => course.id))
  office.leaveUnchanged('courses', ...opened.flatMap(({ course: { id } }) => (changedIds.has(id) ? [] : id)))
  if (changes.length === 0) return []
  for (const change of changes) {
    const { before, edit, values } = change
    prefixRejectionWithName(nameOf(change, isNamed), () => {
      if (before.isAttended && !edit.restore) office.askReason('reason.attended')
      else if ((edit.cancel || edit.restore) && before.isPast) office.askReason('reason.past')
      if (edit.endTime !== undefined && edit.endTime <= values.heldAt.slice(11, 16)) office.fail('failed.timeOrder')
    })
  }
  const roomIds = changes.flatMap(({ values }) => values.ownRoomId ?? [])
  if (await hasUnknownRoom(tx, roomIds)) office.fail('unknown.rooms')
  const emails = changes.flatMap(({ edit }) => edit.instructorEmail || [])
  if (await hasUnknownInstructor(tx, emails)) office.fail('failed.unknownInstructor')
  const ids = changes.map(({ before }) => before.id)
  if (actId !== undefined && undoable)
    await storeReplacedValues(tx, actId, { lessonIds: ids, courseIds: [...changedIds] })
  await writeLessons(office, changes)
  if (undoes !== undefined) await restoreFirstLessons(tx, undoes)

  const after = new Map((await listOfficeLessonRows(tx, ids)).map(lesson => [lesson.id, lesson]))
  for (const change of changes) {
    const { heldAt } = change.values
    const isPast = after.get(change.before.id)?.isPast ?? false
    if (heldAt !== change.before.heldAt)
      prefixRejectionWithName(nameOf(change, isNamed), () =>
        requireReasonForUnusualDay(office, heldAt.slice(0, 10), isPast),
      )
  }
  await requireNeedsFree(office, changes)
  for (const { before: row, edit } of changes) {
    const [before, now] = recordsOf(row, after.get(row.id) ?? row, edit)
    office.note(isNamed ? { before: { [row.id]: before }, after: { [row.id]: now } } : { before, after: now })
  }
  await updateFieldsDerivedFromLessons(office, ...changedIds)
  // The lessons of a cancelled course do not take place, so nobody is notified of changes to them.
  const announced = changes.filter(({ course }) => !course.isCancelled)
  return announced.map(change => updateOf(change, after.get(change.before.id) ?? change.before, { note, note2 }))
}

/** Whether an edit moves its lesson to another place or day. */
const isPlacedAnew = ({ roomId, venue, date }: LessonEdit) =>
  roomId !== undefined || venue !== undefined || date !== undefined

/**
 * Verifies that the rooms and instructors of the changed lessons are free. If only the substitute changes, the room is
 * not checked again.
 */
async function requireNeedsFree(office: OfficeContext, changes: readonly Change[]): Promise<void> {
  const kept = changes.filter(({ edit }) => !edit.cancel)
  if (kept.length === 0) return
  const lessonIds = kept.map(({ before }) => before.id)
  const inOtherPlace = new Set(
    kept.flatMap(({ before, edit }) => (valuesIn(edit).join() === 'instructorEmail' ? [] : [before.id])),
  )
  await requireClashesAccepted(
    office,
    { lessonIds },
    ({ lessonId, instructor }) => instructor !== null || inOtherPlace.has(lessonId),
  )
  const placedAnew = kept.filter(({ edit }) => edit.restore || isPlacedAnew(edit))
  await requireRoomsOpen(office, { lessonIds: placedAnew.map(({ before }) => before.id) })
  const taughtAnew = kept.filter(({ edit }) => edit.instructorEmail || edit.date !== undefined)
  const [away] = await listAbsentInstructors(
    office.tx,
    taughtAnew.map(({ before }) => before.id),
    office.language,
  )
  if (away) office.askReason('reason.absent', { name: away.name, at: formatDateTime(away.heldAt) })
}

function noteObjects(office: OfficeContext, opened: readonly Change[]): void {
  const [only] = opened
  if (!only) return
  const isSeveral = opened.length > 1
  const ids = opened.map(({ before }) => before.id).join(' ')
  office.note({
    objects: isSeveral ? { courseDateIds: ids } : { courseId: only.course.id, courseDateId: only.before.id },
  })
}

/** Lesson data before and after an edit for the audit log, without the instructors' names. */
function recordsOf(before: OfficeLessonRow, after: OfficeLessonRow, { cancel, restore }: LessonEdit) {
  const venues = namesOfVenues(before, after)
  return [before, after].map(({ heldAt, state, instructorEmail, isExcluded }, index) =>
    cancel || restore
      ? { state }
      : { heldAt, venue: venues[index], hasSubstitute: instructorEmail !== null, ...(isExcluded && { isExcluded }) },
  )
}

function updateOf({ course, before, edit }: Change, after: OfficeLessonRow, notes: Required<Notes>): CourseUpdate {
  const at = (language: Language) => formatLessonTime(language, before)
  const instructors = [before.instructorEmail, after.instructorEmail].flatMap(email => email ?? [])
  const isUrgent = before.isUrgent || after.isUrgent
  const { Booked, Waitinglist } = BOOKING_STATUS
  if (edit.cancel)
    return {
      course,
      notice: { key: 'cancelLesson', ...notes, isUrgent, values: language => ({ at: at(language) }) },
      line: language => translate(language, 'office.notice.lessonGone', { at: at(language) }),
      states: [Booked],
      instructors,
    }
  if (edit.restore)
    return {
      course,
      notice: { key: 'restoreLesson', ...notes, isUrgent, values: language => ({ at: at(language) }) },
      line: language => translate(language, 'office.notice.lessonBack', { at: at(language) }),
      states: [Booked],
      instructors,
    }
  const [from, to] = namesOfVenues(before, after)
  const say = (language: Language) => [
    ...[
      { key: 'time', from: at(language), to: formatLessonTime(language, after) },
      { key: 'room', from: from || '–', to: to || '–' },
      { key: 'instructor', from: before.instructor || '–', to: after.instructor || '–' },
    ]
      .filter(({ from, to }) => from !== to)
      .map(({ key, ...values }) => translate(language, `office.notice.${key}`, values)),
    ...(after.state === 'cancelled' ? [translate(language, 'office.notice.stillCancelled')] : []),
  ]
  const isElsewhere = before.heldAt !== after.heldAt || edit.endTime !== undefined || from !== to
  return {
    course,
    notice: {
      key: 'changeLesson',
      ...notes,
      isUrgent,
      values: language => ({ at: at(language), changes: say(language).join('\n') }),
    },
    line: language => `${at(language)}: ${say(language).join('; ')}`,
    // People on the waiting list are notified only if the time or the venue has changed.
    states: isElsewhere ? [Booked, Waitinglist] : [Booked],
    guestsOf: after.id,
    instructors,
  }
}

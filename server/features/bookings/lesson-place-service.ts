import type { LessonPlaceRequest } from '#contract/endpoints/courses.ts'
import type { ApiCallOutcome, Language } from '#contract/values.ts'
import { formatDate, formatTime, nameInLanguage } from '#contract/words.ts'
import { listCourseFacts } from '#server/features/courses/repository.ts'
import type { CourseView } from '#server/features/courses/rules.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { toDateTimeValue, toTimestampText } from '#server/platform/db/date-time.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/problems.ts'
import { type Notice, noticeTitle, notifyPeople } from '#server/platform/outbox/notices.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import * as repository from './lesson-place-repository.ts'
import { obstacleTextOf } from './model.ts'
import { findBookingObstacle } from './policy.ts'
import { lockCourse } from './repository.ts'

/**
 * Announces an absence, frees the place of that lesson, or takes both back.
 * @throws HttpProblem 404 for an unknown lesson
 */
export async function announceAbsence(
  db: Database,
  user: SessionUser,
  change: repository.AbsenceChange,
  language: Language,
): Promise<ApiCallOutcome> {
  const { courseId, isAbsent, isFreed } = change
  // The statement's snapshot is newer than the lock, which serializes it with bookings, cancellations and other guests.
  const state = await db.transaction(async tx => {
    await lockCourse(tx, courseId)
    return repository.updateAnnouncedAbsence(tx, user.id, change)
  })
  if (state === null) throw notFound()
  const { isBooked, isOpen, isAhead, isTaken } = state
  const fail = (reason: string) => createMessageResponse(language, 'Failed', `bookings.absence.${reason}`)
  if (!isBooked) return fail('notBooked')
  if (!isOpen || (isFreed === true && !isAhead)) return fail('over')
  if (isTaken && (!isAbsent || isFreed === false)) return fail('taken')
  const done = !isAbsent ? 'withdrawn' : isFreed === undefined ? 'announced' : isFreed ? 'freed' : 'notFreed'
  return { status: 'Ok', message: translate(language, `bookings.absence.${done}`) }
}

/**
 * Takes the freed place of a lesson, or returns it. Idempotent.
 * @throws HttpProblem 404 for an unknown lesson
 */
export async function changeLessonPlace(
  db: Database,
  view: CourseView,
  user: SessionUser,
  { at, isTaken }: LessonPlaceRequest,
  language: Language,
): Promise<ApiCallOutcome> {
  const courseId = view.facts.course.id
  const obstacle = findBookingObstacle(view)
  if (isTaken && obstacle !== null && obstacle !== 'fullForExternals')
    return {
      ...createMessageResponse(language, 'Failed', `obstacles.${obstacle}`),
      message: obstacleTextOf(view, obstacle, language),
    }
  const change = isTaken ? repository.takeFreedPlace : repository.returnFreedPlace
  const state = await db.transaction(async tx => {
    await repository.lockPerson(tx, user.id)
    await lockCourse(tx, courseId)
    return change(tx, user.id, { courseId, at: toTimestampText(at) })
  })
  if (state === null) throw notFound()
  const fail = (reason: string) => createMessageResponse(language, 'Failed', `bookings.place.${reason}`)
  if (isTaken ? !state.isMine : state.isMine && !state.hasChanged) return fail(state.isAhead ? 'gone' : 'over')
  return { status: 'Ok', message: translate(language, `bookings.place.${isTaken ? 'taken' : 'returned'}`) }
}

/** Tells a guest that the place of a lesson no longer exists. */
async function toEndNotice(tx: Queryable, region: string, place: repository.EndedPlace): Promise<Notice | null> {
  const [facts] = await listCourseFacts(tx, region, place.courseId)
  if (!facts) return null
  const at = toDateTimeValue(place.heldAt)
  const wordsIn = (language: Language) => {
    const say = (key: string, values = {}) => translate(language, `bookings.place.ended.${key}`, values)
    const name = nameInLanguage(language, facts.course)
    const values = { course: name, date: formatDate(at), time: formatTime(at) }
    return {
      ...noticeTitle(course => say('title', { course }), name),
      paragraphs: [say(place.reason, values), say('thanks')],
    }
  }
  return {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: `/course-details/${place.courseId}`,
    isUrgent: place.isUrgent,
  }
}

/**
 * Ends the freed places that no longer exist and notifies their guests in the same transaction. Every action of the
 * department does so for what it has changed, and a scheduled task for all other changes.
 * @param undoneSeconds if the transaction undoes an action of these past seconds, places that it ended are restored
 * @returns number of ended places
 */
export async function endFreedPlaces(tx: Queryable, region: string, undoneSeconds = 0): Promise<number> {
  if (undoneSeconds > 0) await repository.restoreFreedPlaces(tx, undoneSeconds)
  const ended = await repository.endFreedPlaces(tx)
  for (const place of ended) {
    const notice = place.guestId === null ? null : await toEndNotice(tx, region, place)
    if (notice && place.guestId !== null) await notifyPeople(tx, [place.guestId], notice)
  }
  return ended.length
}

/**
 * Scheduled task: ends the freed places that no longer exist, and frees those again whose guests now have a seat or have
 * become the instructor of the lesson. The latter waits until the action can no longer be undone, because an undo restores
 * neither the guest nor the recorded presence.
 * @param undoSeconds period during which an action can be undone
 * @returns number of ended places
 */
export async function updateLessonPlaces(db: Database, region: string, undoSeconds: number): Promise<number> {
  // Twice the period, because it begins after the change, when the action is committed.
  const ended = await db.transaction(async tx => {
    await repository.freePlacesOfSeated(tx, 2 * undoSeconds)
    return endFreedPlaces(tx, region)
  })
  for (const { webUserId, ...lesson } of await repository.listGuestsWhoTeach(db, 2 * undoSeconds))
    await db.transaction(async tx => {
      await repository.lockPerson(tx, webUserId)
      await lockCourse(tx, lesson.courseId)
      await repository.returnFreedPlace(tx, webUserId, lesson)
    })
  await repository.withdrawAttendanceOfFormer(db, 2 * undoSeconds)
  return ended
}

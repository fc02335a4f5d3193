import type { CourseDates, GuestRequest, PresenceRequest } from '#contract/endpoints/attendance.ts'
import { compareByName } from '#contract/name-order.ts'
import { RETENTION_LIMITS } from '#contract/tables/data-map.ts'
import type { Language } from '#contract/values.ts'
import { nameInLanguage } from '#contract/words.ts'
import {
  isRegularInstructor,
  type TaughtCourse,
  teachesCourse,
  teachesLesson,
} from '#server/features/lessons/repository.ts'
import { createBatcher } from '#server/platform/db/batch.ts'
import type { Database } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { createKeyedSemaphores } from '#server/platform/db/semaphore.ts'
import type { FileResponse, SessionUser } from '#server/platform/http/mount.ts'
import { forbidden, notFound } from '#server/platform/http/problems.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import { errorCodeOf } from '#server/platform/process/error-facts.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { layOutParticipantList, type ParticipantList } from './participant-list.ts'
import {
  findAttendanceCourse,
  findGuestEntryState,
  findParticipantListCourse,
  insertWalkInGuest,
  type ListedLesson,
  listLessons,
  listParticipants,
  listWalkInGuests,
  lockCourseOfLesson,
  updateAttendanceListClosed,
  withdrawWalkInGuest,
} from './repository.ts'
import {
  type DecidedAttendanceChange,
  decideGuestEntry,
  formatFamilyNameFirst,
  type GuestEntryVerdict,
  participantListFileName,
  type StoredAttendance,
  selectDefaultLesson,
} from './rules.ts'
import {
  type AttendanceChangeResult,
  findStoredAttendance,
  insertAttendanceChanges,
  type NewAttendanceChange,
} from './tick-repository.ts'

/**
 * Callers who are not instructors get an empty file, unlike at any other endpoint. Instructors of other courses are
 * rejected. See docs/decisions/0027.
 */
const participantListAccess = (
  user: Pick<SessionUser, 'email' | 'isInstructor'>,
  course: TaughtCourse,
): 'full' | 'empty' | 'forbidden' => {
  if (teachesCourse(course, user.email)) return 'full'
  return user.isInstructor ? 'forbidden' : 'empty'
}

type ChangeOutcome =
  | { verdict: Exclude<DecidedAttendanceChange, 'unknownPerson'> }
  | { verdict: 'overtaken'; standing: StoredAttendance }
  | { verdict: 'recordedBefore'; standing: StoredAttendance & { isPresent: boolean } }

/**
 * Whether a single change can have caused the error: a constraint violation or a lock conflict. Such an error rolls
 * back the whole batch, so the changes are retried individually.
 */
const isOneToBlame = (error: unknown) => /^(?:23|40)/.test(errorCodeOf(error))

/**
 * Records attendance changes. Concurrent changes share a statement; those that conflict with another transaction are
 * retried individually. See docs/decisions/0003.
 */
export function createAttendanceRecorder(db: Database) {
  const lanes = createKeyedSemaphores()

  const insertAll = (changes: NewAttendanceChange[]) =>
    insertAttendanceChanges(db, changes).catch(error => {
      if (isOneToBlame(error)) return changes.map(() => 'left' as const)
      throw error
    })
  const insertWithOthers = createBatcher(insertAll, ({ courseDateId, webUserId }) => `${courseDateId} ${webUserId}`)
  const insertAlone = (change: NewAttendanceChange) =>
    db.transaction(async tx => {
      if ((await lockCourseOfLesson(tx, change.courseDateId)) === null) return null
      const [met = null] = await insertAttendanceChanges(tx, [change])
      if (met === 'left') throw new Error('the course has changed under its lock')
      return met
    })
  const insert = async (change: NewAttendanceChange): Promise<AttendanceChangeResult | null> => {
    const met = await insertWithOthers(change)
    return met === 'left' ? lanes.run(change.courseDateId, () => insertAlone(change)) : met
  }

  /**
   * Records one person as present or absent at one lesson, or withdraws the record, unless a later change exists.
   * @throws HttpProblem 404 for an unknown lesson or person, 403 for another instructor's course
   */
  return async (user: SessionUser, sent: PresenceRequest): Promise<ChangeOutcome> => {
    const { courseDateId, webUserId, changeId = null, ifUnrecorded = false, ifChangeIds = null } = sent
    const isWithdrawn = sent.changeState === 'deleted' && sent.isRecorded === false
    const isPresent = isWithdrawn ? null : sent.changeState === 'added'
    const changedAt = sent.changedAt === undefined ? null : new Date(sent.changedAt)
    const person = { recordedBy: user.id, email: user.email }
    const condition = { ifUnrecorded, ifChangeIds }
    const met = await insert({ changeId, courseDateId, webUserId, isPresent, changedAt, ...condition, ...person })
    if (met === null) throw notFound()
    const { verdict } = met
    if (verdict === 'notTaught') throw forbidden()
    if (verdict === 'unknownPerson') throw notFound()
    if (verdict !== 'recorded' && verdict !== 'known') return { verdict }
    if (met.isWritten) return { verdict }
    const standing = await findStoredAttendance(db, courseDateId, met.webUserId)
    const isOwn = changeId !== null && standing?.changeId === changeId
    const isMerged = met.webUserId !== webUserId
    if ((ifUnrecorded || ifChangeIds !== null || isMerged) && standing && standing.isPresent !== null && !isOwn)
      return { verdict: 'recordedBefore', standing: { ...standing, isPresent: standing.isPresent } }
    return standing && standing.isPresent !== isPresent ? { verdict: 'overtaken', standing } : { verdict }
  }
}

/**
 * Checks the user's access to a course's attendance.
 * @throws HttpProblem 404 or 403
 */
function requireTaught<Taught>(taught: Taught | null, isAllowed: (taught: Taught) => boolean): Taught {
  if (taught === null) throw notFound()
  if (!isAllowed(taught)) throw forbidden()
  return taught
}

/**
 * Lessons that a user may see: all of them for an instructor of the course, only the substituted ones for a substitute.
 */
const visibleLessons = (course: TaughtCourse, lessons: ListedLesson[], { email }: SessionUser): ListedLesson[] =>
  isRegularInstructor(course, email) ? lessons : lessons.filter(lesson => teachesLesson(course, lesson, email))

/** Participants in a course, including those who have left after a lesson, ordered by name, or by number once the retention period of names has ended. */
async function listPeople(db: Database, courseId: number, isNamed: boolean, language: Language) {
  const people = (await listParticipants(db, courseId)).sort(compareByName)
  return people.map((person, index) => ({
    ...person,
    name: isNamed ? formatFamilyNameFirst(person) : translate(language, 'attendance.numbered', { number: index + 1 }),
  }))
}

/**
 * Lessons of a course, each with the participants who were present.
 * @throws HttpProblem 404 or 403
 */
export async function getCourseDates(
  db: Database,
  user: SessionUser,
  courseId: number,
  language: Language,
): Promise<Omit<CourseDates, 'state'>> {
  const course = requireTaught(await findAttendanceCourse(db, courseId), taught => teachesCourse(taught, user.email))
  const dates = visibleLessons(course, await listLessons(db, courseId), user)
  const people = await listPeople(db, courseId, course.isNamed, language)
  const participantsOn = (courseDateId: number) =>
    people
      .filter(({ lessonIds }) => lessonIds.includes(courseDateId))
      .map(person => ({
        id: person.id,
        name: person.name,
        isUserPresent: person.presentLessonIds.includes(courseDateId),
        isRecorded: person.presentLessonIds.includes(courseDateId) || person.absentLessonIds.includes(courseDateId),
        participation: person.participation,
        ...(person.announcedLessonIds.includes(courseDateId) && { isAbsenceAnnounced: true as const }),
        ...(person.guestLessonIds.includes(courseDateId) && { isGuest: true as const }),
      }))
  const guests = course.isNamed ? await listWalkInGuests(db, courseId) : []
  const guestsOn = (courseDateId: number) => {
    const there = guests.filter(guest => guest.courseDateId === courseDateId)
    return there.length === 0 ? {} : { guests: there.map(guest => ({ guestId: guest.id, name: guest.name })) }
  }
  const preSelectCourseDateId = selectDefaultLesson(dates, course.today)
  return {
    courseId,
    participants: participantsOn(preSelectCourseDateId),
    courseDates: dates.map(({ id, heldAt, substitute }) => ({
      id,
      date: toDateTimeValue(heldAt),
      ...(!teachesLesson(course, { substitute }, user.email) && { isReadOnly: true as const }),
      participants: participantsOn(id),
      ...guestsOn(id),
    })),
    preSelectCourseDateId,
    participatingComplete: course.isComplete,
    ...(!isRegularInstructor(course, user.email) && { isSubstitute: true as const }),
    message: course.isNamed
      ? ''
      : translate(language, 'attendance.namesEnded', { weeks: RETENTION_LIMITS.names.count }),
  }
}

/**
 * Records a walk-in guest, or withdraws the guest's entry. Idempotent.
 * @throws HttpProblem 404 for an unknown lesson or an entry of another lesson, 403
 */
export const recordWalkInGuest = (db: Database, user: SessionUser, note: GuestRequest): Promise<GuestEntryVerdict> =>
  db.transaction(async tx => {
    const lesson = await lockCourseOfLesson(tx, note.courseDateId)
    const course = requireTaught(lesson, taught => teachesLesson(taught, taught, user.email))
    const { knownLessonId, isWithdrawn, count } = await findGuestEntryState(tx, note.guestId, note.courseDateId)
    if (knownLessonId !== null && knownLessonId !== note.courseDateId) throw notFound()
    const isDeleted = note.changeState === 'deleted'
    const isKnown = knownLessonId !== null && (isWithdrawn || !isDeleted)
    const verdict = decideGuestEntry({ ...course, isDeleted, isKnown, count })
    const row = { id: note.guestId, courseDateId: note.courseDateId, name: note.name }
    if (verdict === 'noted') await insertWalkInGuest(tx, row)
    if (verdict === 'withdrawn') await withdrawWalkInGuest(tx, row)
    return verdict
  })

/**
 * Closes or reopens a course's attendance list. Substitutes may do neither.
 * @returns whether an e-mail was queued, which only closing does
 * @throws HttpProblem 404, 403
 */
export async function closeAttendanceList(
  db: Database,
  user: SessionUser,
  courseId: number,
  isCompleted: boolean,
): Promise<boolean> {
  requireTaught(await findAttendanceCourse(db, courseId), taught => isRegularInstructor(taught, user.email))
  return db.transaction(async tx => {
    const changed = await updateAttendanceListClosed(tx, courseId, isCompleted)
    if (changed === null || !isCompleted) return false
    await insertMail(tx, { webUserId: user.id, kind: 'course-closed', payload: changed })
    return true
  })
}

/**
 * Participant list as PDF; empty for users who teach no course.
 * @throws HttpProblem 404, 403 for instructors of other courses
 */
export async function getParticipantList(
  db: Database,
  user: SessionUser,
  courseId: number,
  {
    language,
    brand,
    shows,
  }: Pick<ParticipantList, 'brand'> & { language: Language; shows: (people: number[]) => void },
): Promise<FileResponse> {
  const course = await findParticipantListCourse(db, courseId)
  if (course === null) throw notFound()
  const access = participantListAccess(user, course)
  // Even the name of a course is secret until the course becomes visible.
  if (access !== 'full' && !course.isViewable) throw notFound()
  if (access === 'forbidden') throw forbidden()
  const head = { ...course, name: nameInLanguage(language, course) }
  const fileName = participantListFileName(head)
  if (access === 'empty') {
    shows([])
    return { fileName, content: new Uint8Array() }
  }
  const people = await listPeople(db, courseId, course.isNamed, language)
  shows(people.map(({ id }) => id))
  const dates = await listLessons(db, courseId)
  const recorded = new Set(people.flatMap(person => [...person.presentLessonIds, ...person.absentLessonIds]))
  const participants = people.map(person => ({
    name: person.isOnlyGuest
      ? translate(language, 'attendance.list.guest', { name: person.name })
      : person.hasLeft
        ? translate(language, 'attendance.list.left', { name: person.name })
        : person.name,
    hasSeat: !person.hasLeft && !person.isOnlyGuest,
    participation: person.participation,
    employeeStatus: person.employeeStatus,
    billingType: person.billingType,
    presentLessonIds: person.presentLessonIds,
    // Who has no record in a recorded lesson was absent, as in a settlement.
    absentLessonIds: person.ownLessonIds.filter(id => recorded.has(id) && !person.presentLessonIds.includes(id)),
  }))
  const lessons = visibleLessons(course, dates, user)
  const guests = (course.isNamed ? await listWalkInGuests(db, courseId) : [])
    .filter(({ courseDateId }) => lessons.some(({ id }) => id === courseDateId))
    .map(({ name, courseDateId }) => ({
      name: translate(language, 'attendance.list.guest', { name }),
      hasSeat: false,
      participation: null,
      employeeStatus: null,
      billingType: null,
      presentLessonIds: [courseDateId],
      absentLessonIds: [],
    }))
  const list = { ...head, brand, lessons, participants: [...participants, ...guests] }
  return { fileName, content: await printDocument({ pdf: layOutParticipantList(list, language) }) }
}

import type { CourseDates, GuestRequest } from '#contract/attendance.ts'
import { ENDINGS } from '#contract/data-map.ts'
import type { Language } from '#contract/values.ts'
import { nameIn } from '#contract/words.ts'
import type { Database } from '#server/db/client.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import type { FileAnswer, SessionUser } from '#server/http/mount.ts'
import { forbidden, notFound } from '#server/http/problems.ts'
import { isRegularInstructor, type TaughtCourse, teachesCourse, teachesLesson } from '#server/lessons/teaching.ts'
import { printDocument } from '#server/pdf/printer.ts'
import { insertMail } from '#server/queue/outbox.ts'
import { byName } from '#server/texts/by-name.ts'
import { translate } from '#server/texts/translate.ts'
import { findGuestFacts, insertGuest, listGuests, withdrawGuest } from './guest-repository.ts'
import { describeParticipantList, type ParticipantList } from './participant-list.ts'
import { participantListAccess } from './policy.ts'
import {
  findAttendanceCourse,
  findListedCourse,
  type ListedLesson,
  listLessons,
  listParticipants,
  lockCourseOfLesson,
  updateParticipatingComplete,
} from './repository.ts'
import { decideGuest, type GuestVerdict, listedName, participantListFileName, preselectLesson } from './rules.ts'

/**
 * Checks the user's access to a course's attendance.
 * @throws HttpProblem 404 or 403
 */
function requireTaught<Taught>(taught: Taught | null, isAllowed: (taught: Taught) => boolean): Taught {
  if (taught === null) throw notFound()
  if (!isAllowed(taught)) throw forbidden()
  return taught
}

/** Instructors of a course see all its lessons, a substitute only the substituted ones. */
const visibleLessons = (course: TaughtCourse, lessons: ListedLesson[], { email }: SessionUser): ListedLesson[] =>
  isRegularInstructor(course, email) ? lessons : lessons.filter(lesson => teachesLesson(course, lesson, email))

/** Participants of a course by name; after the retention period of names, by number. */
async function listPeople(db: Database, courseId: number, isNamed: boolean, language: Language) {
  const people = (await listParticipants(db, courseId)).sort(byName)
  return people.map((person, index) => ({
    ...person,
    name: isNamed ? listedName(person) : translate(language, 'attendance.numbered', { number: index + 1 }),
  }))
}

/**
 * Lessons of a course with the participants present at each.
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
    people.map(person => ({
      id: person.id,
      name: person.name,
      isUserPresent: person.presentLessonIds.includes(courseDateId),
      isRecorded: person.presentLessonIds.includes(courseDateId) || person.absentLessonIds.includes(courseDateId),
      participation: person.presentLessonIds.length,
    }))
  const guests = course.isNamed ? await listGuests(db, courseId) : []
  const guestsOn = (courseDateId: number) => {
    const there = guests.filter(guest => guest.courseDateId === courseDateId)
    return there.length === 0 ? {} : { guests: there.map(guest => ({ guestId: guest.id, name: guest.name })) }
  }
  const preSelectCourseDateId = preselectLesson(dates, course.today)
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
    message: course.isNamed ? '' : translate(language, 'attendance.namesEnded', { weeks: ENDINGS.names.count }),
  }
}

/**
 * Records or withdraws a walk-in guest; idempotent.
 * @throws HttpProblem 404 for an unknown date or an entry of another lesson, 403
 */
export const noteDoorGuest = (db: Database, user: SessionUser, note: GuestRequest): Promise<GuestVerdict> =>
  db.transaction(async tx => {
    const lesson = await lockCourseOfLesson(tx, note.courseDateId)
    const course = requireTaught(lesson, taught => teachesLesson(taught, taught, user.email))
    const { knownLessonId, isWithdrawn, count } = await findGuestFacts(tx, note.guestId, note.courseDateId)
    if (knownLessonId !== null && knownLessonId !== note.courseDateId) throw notFound()
    const isDeleted = note.changeState === 'deleted'
    const isKnown = knownLessonId !== null && (isWithdrawn || !isDeleted)
    const verdict = decideGuest({ ...course, isDeleted, isKnown, count })
    const row = { id: note.guestId, courseDateId: note.courseDateId, name: note.name }
    if (verdict === 'noted') await insertGuest(tx, row)
    if (verdict === 'withdrawn') await withdrawGuest(tx, row)
    return verdict
  })

/**
 * Closes or reopens the attendance of a course; not permitted to substitutes.
 * @returns whether a mail was queued, as for a closing
 * @throws HttpProblem 404, 403
 */
export async function completeParticipation(
  db: Database,
  user: SessionUser,
  courseId: number,
  isCompleted: boolean,
): Promise<boolean> {
  requireTaught(await findAttendanceCourse(db, courseId), taught => isRegularInstructor(taught, user.email))
  return db.transaction(async tx => {
    const changed = await updateParticipatingComplete(tx, courseId, isCompleted)
    if (changed === null || !isCompleted) return false
    await insertMail(tx, { webUserId: user.id, kind: 'course-closed', payload: changed })
    return true
  })
}

/**
 * Participant list as PDF; empty for users who instruct no course.
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
): Promise<FileAnswer> {
  const course = await findListedCourse(db, courseId)
  if (course === null) throw notFound()
  const access = participantListAccess(user, course)
  // The name of an invisible course is secret, too.
  if (access !== 'full' && !course.isViewable) throw notFound()
  if (access === 'forbidden') throw forbidden()
  const head = { ...course, name: nameIn(language, course) }
  const fileName = participantListFileName(head)
  if (access === 'empty') {
    shows([])
    return { fileName, content: new Uint8Array() }
  }
  const people = await listPeople(db, courseId, course.isNamed, language)
  shows(people.map(({ id }) => id))
  const dates = await listLessons(db, courseId)
  const participants = people.map(person => ({
    name: person.name,
    employeeStatus: person.employeeStatus,
    billingType: person.billingType,
    presentLessonIds: person.presentLessonIds,
    absentLessonIds: person.absentLessonIds,
  }))
  const list = { ...head, brand, lessons: visibleLessons(course, dates, user), participants }
  return { fileName, content: await printDocument({ pdf: describeParticipantList(list, language) }) }
}

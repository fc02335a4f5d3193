import type { ActOfKind } from '#contract/acts/acts.ts'
import type { ActConsequences } from '#contract/office/office.ts'
import { keysOf, pick } from '#contract/records.ts'
import {
  cancelAllBookings,
  listBookedPeople,
  removeCancellationCharges,
} from '#server/features/bookings/office-booking-repository.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { reverseCourseLedgerEntries } from '#server/features/money/settlement-service.ts'
import { addDays } from '#server/features/programme/cell-parsers.ts'
import type { ParsedRow } from '#server/features/programme/parse-folder.ts'
import { isHoliday, listWeeklyDates, planCourseDates, type Schedule } from '#server/features/programme/schedule.ts'
import { importTableDefinitions } from '#server/features/programme/tables.ts'
import { refreshBookingStarts } from '#server/features/programme/write/courses.ts'
import { type ActHandler, accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { ImportProblems } from '#server/platform/files/problems.ts'
import { notifyCourseChanges } from '../course-change-service.ts'
import { editCourses } from '../course-edit-service.ts'
import {
  findCourseId,
  hasBookings,
  snapshotCourses,
  updateCourseCancelled,
  updateCourseNumber,
} from '../course-repository.ts'
import {
  deleteUnusedCourses,
  lockCourseToEdit,
  requireClashesAccepted,
  requireReasonForUnusualDay,
  requireRoomsOpen,
} from '../course-service.ts'
import { notifyOfCourseCancellation, notifyOfCourseRestoration, notifyUpdates } from '../course-update-service.ts'
import { findReplacedNotes, listLessonTimesUntil, storeReplacedValues } from '../lesson-repository.ts'
import { holidayNameFor } from '../season-rules.ts'
import { findStoredCourse } from '../table-repository.ts'
import {
  assertCourseNumbersUnused,
  assertReferencesExist,
  parseActFields,
  toImportTable,
  writeCoursesAndLessons,
} from '../table-service.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof findStoredCourse>>>
type Values = ReturnType<typeof parseActFields<typeof importTableDefinitions.courses.columns>>

/**
 * Plans the lessons after a change to a course. Past lessons remain. If weekday, first day and last day are unchanged,
 * all lessons remain.
 */
async function planLessons(
  office: OfficeContext,
  stored: Stored,
  changes: Values,
  number: string,
): Promise<Schedule | null> {
  const needed = { number, start: stored.starts_on, startTime: stored.start_time, ...changes }
  const courses = toImportTable(importTableDefinitions.courses, [needed], new Set(Object.keys(changes)))
  const files = {
    courses,
    courseDates: { ...toImportTable(importTableDefinitions.courseDates, [], new Set()), isPresent: false },
  }
  const existing = { courses: new Map([[number, stored]]) }
  const schedule = planCourseDates(files, existing, office.config.region, new ImportProblems()).get(number)
  if (!schedule) return null
  const isSpanChanged =
    schedule.startsOn !== stored.starts_on || schedule.endsOn !== stored.ends_on || schedule.day !== stored.day
  if (!isSpanChanged) return { ...schedule, heldAt: null, hasOwnDates: stored.has_own_dates }
  if (schedule.heldAt === null) return schedule
  const now = await findServerTime(office.tx)
  const past = await listLessonTimesUntil(office.tx, stored.id, now)
  return { ...schedule, heldAt: [...past, ...schedule.heldAt.filter(at => at > now)] }
}

/**
 * Updates a course's fields. If seats are added, people are promoted from the waiting list. Existing bookings keep
 * their price, and participants are notified.
 */
const changeCourse: ActHandler<'change-course'> = async (office, act) => {
  const { tx, config } = office
  const { courseId } = act
  await lockCourseToEdit(office, courseId)
  const stored = (await findStoredCourse(tx, courseId)) ?? office.fail('unknown.courses')
  const given = parseActFields(office, importTableDefinitions.courses, act)
  const isOther = (name: keyof Values) => JSON.stringify(given[name]) !== JSON.stringify(stored[name])
  const changes: Values = pick(given, keysOf(given).filter(isOther))
  if (Object.keys(changes).length === 0) {
    office.leaveUnchanged('courses', courseId)
    return
  }
  requireOrder(office, {
    start: stored.starts_on,
    end: stored.ends_on,
    startTime: stored.start_time,
    endTime: stored.end_time,
    ...changes,
    // If the first day is moved past the last day, the last day is set to the first, as in an import.
    ...(changes.start !== undefined && changes.end === undefined && { end: changes.start }),
  })
  await assertReferencesExist(office, changes)
  const isFixed =
    changes.number !== undefined || changes.seasonId !== undefined || changes.courseCategoryId !== undefined
  if (isFixed && (await hasBookings(tx, [courseId], { isActive: false }))) office.fail('failed.booked')
  if (changes.number !== undefined) {
    await assertCourseNumbersUnused(office, [changes.number])
    await updateCourseNumber(tx, courseId, changes.number)
  }
  const placesGiven = Math.min(stored.taken, stored.capacity)
  if (changes.participants !== undefined && changes.participants < placesGiven)
    office.fail('failed.placesGiven', { count: placesGiven })

  const number = changes.number ?? stored.number
  const schedule = await planLessons(office, stored, changes, number)
  if (schedule === null) return
  if (schedule.startsOn !== stored.starts_on) askAboutOnlyDay(office, schedule.startsOn, schedule.endsOn)
  const before = await snapshotCourses(tx, [courseId])
  const courses = toImportTable(importTableDefinitions.courses, [{ ...changes, number }], new Set(Object.keys(changes)))
  await writeCoursesAndLessons(office, courses, new Map([[number, schedule]]), new Map([[number, stored]]))
  if (changes.participants !== undefined && changes.participants > stored.capacity)
    await promoteOrCloseWaitingList(tx, courseId, config.region)
  office.note({
    before: namesOf(pick<Values, keyof Values>(stored, keysOf(changes))),
    after: namesOf(changes),
  })
  const mayClash = ['start', 'end', 'day', 'startTime', 'endTime', 'venue', 'city', 'instructorEmails']
  if (mayClash.some(name => name in changes)) {
    await requireClashesAccepted(office, { courseIds: [courseId] })
    await requireRoomsOpen(office, { courseIds: [courseId] })
  }
  await notifyCourseChanges(office, before)
}

type CourseValues = ParsedRow<typeof importTableDefinitions.courses.columns>['values']

const MAX_COURSE_DAYS = 3 * 366

/**
 * Verifies that the start precedes the end, within the limits of the import.
 * @throws ActRejected
 */
function requireOrder(office: OfficeContext, { start, end, startTime, endTime }: CourseValues): void {
  if (start && end && end < start) office.fail('failed.dateOrder')
  if (start && end && end > addDays(start, MAX_COURSE_DAYS)) office.fail('failed.tooLong')
  if (startTime && endTime && endTime < startTime) office.fail('failed.timeOrder')
}

/**
 * Requires a reason if a course takes place on a single day and that day is a holiday. Weekly courses skip holidays.
 */
function askAboutOnlyDay(office: OfficeContext, start: string, end: string): void {
  if (start === end) requireReasonForUnusualDay(office, start, false)
}

/** Fields with names and long texts. The audit log records that they changed, but not their values. */
const UNSAID = ['instructor', 'instructorEmails', 'textWeb', 'textWeb2', 'conditions', 'conditions2']

/** Field values for the audit log, without personal names. */
const namesOf = (values: CourseValues): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, UNSAID.includes(name) ? '…' : value]))

type Made = NonNullable<ActConsequences['made']>

/** Lessons of a new course for the preview, and the holidays that the course skips if it is weekly. */
function lessonsOf(
  { config: { region }, language }: OfficeContext,
  { startsOn, endsOn, day, heldAt }: Schedule,
): Pick<Made, 'lessons' | 'holidays'> {
  const lessons = (heldAt ?? []).map(at => at.slice(0, 16).replace(' ', 'T'))
  const isLeft = (date: string) => isHoliday(region, date) && !lessons.some(at => at.startsWith(date))
  const left = startsOn === endsOn ? [] : listWeeklyDates(startsOn, endsOn, day).filter(isLeft)
  return { lessons, holidays: left.map(date => ({ date, name: holidayNameFor(region, date, language) })) }
}

/**
 * Creates a course. If no dates are given, lessons are generated weekly from the first to the last day, skipping the
 * region's holidays.
 */
const createCourse: ActHandler<'create-course'> = async (office, { dates = [], ...act }) => {
  const { tx, config } = office
  const values = parseActFields(office, importTableDefinitions.courses, act)
  const { number = '', start = '' } = values
  requireOrder(office, values)
  await assertReferencesExist(office, values)
  await assertCourseNumbersUnused(office, [number])
  const courses = toImportTable(
    importTableDefinitions.courses,
    [values],
    new Set(Object.keys(importTableDefinitions.courses.columns)),
  )
  const days = [...new Set(dates)]
  const own = days.map(date => ({ courseNumber: number, date: { date, time: null } }))
  const courseDates = toImportTable(importTableDefinitions.courseDates, own, new Set(['courseNumber', 'date']))
  for (const date of days) requireReasonForUnusualDay(office, date, false)
  const schedules = planCourseDates(
    { courses, courseDates },
    { courses: new Map() },
    config.region,
    new ImportProblems(),
  )
  askAboutOnlyDay(office, start, values.end ?? start)
  await writeCoursesAndLessons(office, courses, schedules)
  const id = (await findCourseId(tx, number)) ?? office.fail('unknown.courses')
  office.setCreated('courses', id)
  office.addAffected({ courses: [id] })
  office.note({ objects: { courseId: id }, after: { ...namesOf(values), ...(days.length > 0 && { dates: days }) } })
  const schedule = schedules.get(number)
  if (schedule) office.addToPreview({ courses: 1, ...lessonsOf(office, schedule) })
  await requireClashesAccepted(office, { courseIds: [id] })
  await requireRoomsOpen(office, { courseIds: [id] })
  return { courseId: id }
}

/**
 * Deletes a course that has never been booked.
 * @throws ActRejected if bookings, attendance or an album refer to it
 */
export async function removeCourse(office: OfficeContext, id: number): Promise<void> {
  const { number } = await lockCourseToEdit(office, id)
  office.note({ before: { number } })
  await deleteUnusedCourses(office, [id])
}

/** Cancels or restores a course with the note of the action or, if it undoes another one, with the former note. */
async function setCancelled(
  { tx }: OfficeContext,
  isCancelled: boolean,
  {
    courseId,
    note = '',
    note2 = '',
    actId,
    undoable,
    undoes,
  }: ActOfKind<'cancel-course'> | ActOfKind<'restore-course'>,
): Promise<void> {
  if (undoable) await storeReplacedValues(tx, actId, { courseIds: [courseId] })
  const replaced = undoes === undefined ? null : await findReplacedNotes(tx, undoes, courseId)
  await updateCourseCancelled(tx, courseId, isCancelled, replaced ?? { note, note2 })
}

/**
 * Cancels a course: cancels all bookings and waiting-list entries without charge, and suggests courses of the same
 * category in which each person can book a seat now.
 */
const cancelCourse: ActHandler<'cancel-course'> = async (office, act) => {
  const { tx } = office
  const { courseId, note = '', note2 = '' } = act
  const course = await lockCourseToEdit(office, courseId)
  if (course.isCancelled) {
    office.leaveUnchanged('courses', courseId)
    return
  }
  if (course.isOver) office.fail('failed.over')
  const people = await listBookedPeople(tx, courseId, [1, 2])
  await cancelAllBookings(tx, courseId)
  await setCancelled(office, true, act)
  const chargeCents = await removeCancellationCharges(tx, courseId)
  await reverseCourseLedgerEntries(tx, courseId, { region: office.config.region, actorId: accountIdOf(office.actor) })
  await refreshBookingStarts(tx)
  office.programmeChanged()
  // An undo would not bring the charges back, and therefore fails.
  const before = { cancelled: false, ...(chargeCents > 0 && { chargeCents }) }
  office.note({ before, after: { cancelled: true, bookings: people.length } })
  office.noteText([note, note2].filter(Boolean).join('\n'))
  await notifyOfCourseCancellation(office, course, people, note, note2)
}

/** Applies the same change to several courses. */
const changeCourses: ActHandler<'change-courses'> = async (office, { courseIds, ...edit }) =>
  void (await notifyUpdates(office, await editCourses(office, courseIds, edit)))

/** Confirms that a course will take place and notifies participants and instructors. */
const confirmCourse: ActHandler<'confirm-course'> = async (office, { courseId }) =>
  void (await notifyUpdates(office, await editCourses(office, [courseId], { confirmed: true })))

/** Withdraws the confirmation that a course will take place, and notifies participants and instructors. */
const unconfirmCourse: ActHandler<'unconfirm-course'> = async (office, { courseId }) =>
  void (await notifyUpdates(office, await editCourses(office, [courseId], { confirmed: false })))

/**
 * Reopens a cancelled course for booking, without its former bookings. Notifies instructors, substitutes, and the people
 * whose booking or waiting-list entry the cancellation ended.
 */
const restoreCourse: ActHandler<'restore-course'> = async (office, act) => {
  const { courseId, note = '', note2 = '' } = act
  const course = await lockCourseToEdit(office, courseId)
  if (!course.isCancelled) {
    office.leaveUnchanged('courses', courseId)
    return
  }
  await setCancelled(office, false, act)
  await requireClashesAccepted(office, { courseIds: [courseId] })
  await requireRoomsOpen(office, { courseIds: [courseId] })
  await refreshBookingStarts(office.tx)
  office.programmeChanged()
  office.note({ before: { cancelled: true }, after: { cancelled: false } })
  office.noteText([note, note2].filter(Boolean).join('\n'))
  await notifyOfCourseRestoration(office, courseId, { note, note2 })
}

export const courseHandlers = {
  'confirm-course': confirmCourse,
  'unconfirm-course': unconfirmCourse,
  'cancel-course': cancelCourse,
  'restore-course': restoreCourse,
  'change-courses': changeCourses,
  'create-course': createCourse,
  'change-course': changeCourse,
}

import type { ActConsequences } from '#contract/office/office.ts'
import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { formatDate, formatTime, nameInLanguage } from '#contract/words.ts'
import { listBookedPeople } from '#server/features/bookings/office-booking-repository.ts'
import {
  insertAcceptedClashes,
  type LessonClash,
  type LessonClashScope,
  listLessonClashes,
  listUnacceptedClashes,
} from '#server/features/courses/lesson-repository.ts'
import { findTimesSkippedByDst } from '#server/features/programme/schedule.ts'
import { refreshBookingStarts } from '#server/features/programme/write/courses.ts'
import { ActRejected, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { isPublicHoliday, isSchoolHoliday } from '#server/platform/holidays/holidays.ts'
import { type Notice, noticeTitle } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listLessonsInClosedRooms } from './closure-repository.ts'
import {
  deleteCourses,
  findOfficeCourseRow,
  hasAlbums,
  hasBookings,
  listInstructorsOfCourse,
  listLessonIds,
  markCoursesWithOwnDates,
  type OfficeCourseRow,
} from './course-repository.ts'
import { deleteLessons, findOfficeLessonRow, hasRecordedAttendance, type OfficeLessonRow } from './lesson-repository.ts'

/**
 * Runs a check, and prefixes the message of a rejection with the object's name. For actions on several objects.
 * @throws ActRejected
 */
export function prefixRejectionWithName(name: string | null, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (name !== null && error instanceof ActRejected) error.message = `${name}: ${error.message}`
    throw error
  }
}

/**
 * Locks the course that an action changes.
 * @throws ActRejected
 */
export async function lockCourseToEdit(office: OfficeContext, courseId: number): Promise<OfficeCourseRow> {
  await office.open('courses', courseId)
  office.note({ objects: { courseId } })
  return (await findOfficeCourseRow(office.tx, courseId)) ?? office.fail('unknown.courses')
}

/**
 * Locks the course of the lesson that an action changes.
 * @throws ActRejected
 */
export async function lockLessonToEdit(
  office: OfficeContext,
  courseDateId: number,
): Promise<{ course: OfficeCourseRow; lesson: OfficeLessonRow }> {
  const found = await findOfficeLessonRow(office.tx, courseDateId)
  if (found === null) office.fail('unknown.lesson')
  const course = await lockCourseToEdit(office, found.courseId)
  // Reads the lesson again after its course has been locked.
  const lesson = (await findOfficeLessonRow(office.tx, courseDateId)) ?? office.fail('unknown.lesson')
  office.note({ objects: { courseDateId } })
  return { course, lesson }
}

/**
 * Rejects times that do not exist because clocks are set forward to summer time.
 * @param times 'YYYY-MM-DD HH:MM:SS'
 * @throws ActRejected
 */
export async function rejectTimesSkippedByDst(office: OfficeContext, times: readonly string[]): Promise<void> {
  const [at] = await findTimesSkippedByDst(office.tx, times)
  if (at) office.fail('failed.skippedTime', { at: formatDateTime(at) })
}

/**
 * Updates the fields that are derived from the courses' lessons: first and last day, and the time at which booking
 * closes.
 */
export async function updateFieldsDerivedFromLessons(office: OfficeContext, ...courseIds: number[]): Promise<void> {
  await markCoursesWithOwnDates(office.tx, courseIds)
  await refreshBookingStarts(office.tx)
  office.programmeChanged()
}

/**
 * Requires a reason if a lesson is on a holiday or in the past.
 * @param date 'YYYY-MM-DD'
 */
export function requireReasonForUnusualDay(office: OfficeContext, date: string, isPast: boolean): void {
  const { region } = office.config
  if (isPast) office.askReason('reason.past')
  if (isPublicHoliday(region, date) || isSchoolHoliday(region, date)) office.askReason('reason.holiday')
}

export const toClashResponse = ({
  room,
  venue,
  instructorName,
  otherCourseId,
  otherName,
  at,
}: LessonClash): ActConsequences['clashes'][number] => ({
  ...((room ?? venue) && { room: room ?? venue ?? '' }),
  ...(instructorName && { instructor: instructorName }),
  courseId: otherCourseId,
  name: otherName,
  at,
})

/**
 * Finds double bookings of rooms, venues and instructors. Those of a room or instructor can be accepted with a reason,
 * which applies until one of the lessons is moved.
 */
export async function requireClashesAccepted(
  office: OfficeContext,
  of: LessonClashScope,
  isConcerned: (clash: LessonClash) => boolean = () => true,
): Promise<void> {
  const found = (await listLessonClashes(office.tx, { ...of, language: office.language })).filter(isConcerned)
  for (const clash of found) office.clash(toClashResponse(clash))
  const declared = found.filter(({ venue }) => venue === null)
  const fresh = await listUnacceptedClashes(office.tx, declared)
  for (const { room, instructorName, otherName, at } of fresh)
    office.askReason('reason.clash', {
      what: room ?? instructorName ?? '',
      name: otherName,
      at: formatWeekdayTime(office.language, at),
    })
  await insertAcceptedClashes(office.tx, fresh)
}

/** Reports lessons that are planned in a closed room, which requires a reason. */
export async function requireRoomsOpen(
  office: OfficeContext,
  of: Pick<LessonClashScope, 'courseIds' | 'lessonIds'>,
): Promise<void> {
  const closed = await listLessonsInClosedRooms(office.tx, of, office.language)
  for (const { room, courseId, name, heldAt } of closed)
    office.clash({ room, courseId, name, at: heldAt.slice(0, 16).replace(' ', 'T') })
  const [first] = closed
  if (first) office.askReason('reason.closed', { room: first.room, at: formatDateTime(first.heldAt) })
}

/**
 * Formats a time as `Montag, 24.11.2026, 18:00`.
 * @param at 'YYYY-MM-DDTHH:mm' or 'YYYY-MM-DD HH:MM:SS'
 */
export const formatWeekdayTime = (language: Language, at: string): string => {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const time = formatDateTime(`${at.slice(0, 16).replace('T', ' ')}:00`)
  return `${weekday.format(new Date(`${at.slice(0, 10)}T00:00Z`))}, ${time}`
}

/**
 * Formats a lesson in a notice as `Montag, 24.11.2026, 18:00–19:00`.
 * @param until end, 'HH:mm'
 */
export const formatLessonTime = (language: Language, { heldAt, until }: { heldAt: string; until: string }): string =>
  `${formatWeekdayTime(language, heldAt)}–${until}`

/**
 * Formats a time as `24.11.2026, 18:00`.
 * @param heldAt 'YYYY-MM-DD HH:MM:SS'
 */
export const formatDateTime = (heldAt: string): string => {
  const at = toDateTimeValue(heldAt)
  return `${formatDate(at)}, ${formatTime(at)}`
}

/**
 * Formats both dates of a range as `24.11.2026`.
 * @param span dates 'YYYY-MM-DD'
 */
export const formatDateRange = ({ from, to }: { from: string; to: string }) => ({
  from: formatDate(toDateTimeValue(`${from} 00:00:00`)),
  to: formatDate(toDateTimeValue(`${to} 00:00:00`)),
})

export type CourseNotice = {
  key: string
  values?: (language: Language) => Record<string, string>
  note?: string
  note2?: string
  isUrgent?: boolean
}

/**
 * Notice about a course, sent as e-mail, inbox message and push message. The news precedes the department's comment.
 */
export function toCourseNotice(
  course: OfficeCourseRow,
  { key, values, note = '', note2 = '', isUrgent = false }: CourseNotice,
): Notice {
  const wordsIn = (language: Language) => {
    const name = `${nameInLanguage(language, course)} (${course.number})`
    const given = { course: name, ...values?.(language) }
    const titleWith = (shown: string) => {
      const title = translate(language, `office.notice.${key}.title`, { ...given, course: shown })
      return isUrgent ? translate(language, 'office.notice.urgent.title', { title }) : title
    }
    const said = language === 'en' && note2 !== '' ? note2 : note
    const [news = '', ...rest] = translate(language, `office.notice.${key}.text`, given).split('\n\n')
    const urgent = isUrgent ? [translate(language, 'office.notice.urgent.text')] : []
    return {
      ...noticeTitle(titleWith, name),
      paragraphs: [...urgent, news, ...(said === '' ? [] : [said]), ...rest],
    }
  }
  return {
    words: { de: wordsIn('de'), en: wordsIn('en') },
    path: `/course-details/${course.id}`,
    isUrgent,
    changedCourseIds: [course.id],
  }
}

export type NoticeAudience = {
  /** ids of recipients other than the instructors; all participants by default */
  people?: number[]
  /** e-mail addresses of substitutes or former instructors to notify together with the course's instructors */
  instructors?: readonly string[]
}

/** Notifies the participants of a course and its instructors, who need not have an account. */
export async function notifyCourseAudience(
  office: OfficeContext,
  course: OfficeCourseRow,
  notice: CourseNotice,
  { people, instructors }: NoticeAudience = {},
): Promise<void> {
  const participants = people ?? (await listBookedPeople(office.tx, course.id, [BOOKING_STATUS.Booked]))
  const teaching =
    instructors === undefined
      ? { people: [], addresses: [], names: [] }
      : await listInstructorsOfCourse(office.tx, course.id, instructors)
  await office.notify([...new Set([...participants, ...teaching.people])], toCourseNotice(course, notice), teaching)
}

/**
 * Notifies participants and instructors with different texts, because instructors have neither a booking nor a price.
 */
export async function notifyInstructors(
  office: OfficeContext,
  course: OfficeCourseRow,
  notice: CourseNotice,
  { people = [], instructors = [] }: NoticeAudience,
): Promise<void> {
  const teaching = await listInstructorsOfCourse(office.tx, course.id, instructors)
  await office.notify(
    teaching.people.filter(id => !people.includes(id)),
    toCourseNotice(course, notice),
    teaching,
  )
}

/**
 * Deletes locked courses and their lessons.
 * @throws ActRejected if a course has ever been booked, or has attendance or an album
 */
export async function deleteUnusedCourses(office: OfficeContext, courseIds: readonly number[]): Promise<void> {
  const { tx } = office
  const lessonIds = await listLessonIds(tx, courseIds)
  const isUsed =
    (await hasBookings(tx, courseIds, { isActive: false })) ||
    (await hasAlbums(tx, courseIds)) ||
    (await hasRecordedAttendance(tx, lessonIds))
  if (isUsed) office.fail('failed.inUse')
  await deleteLessons(tx, lessonIds)
  await deleteCourses(tx, courseIds)
  office.programmeChanged()
}

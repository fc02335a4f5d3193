import type { TFunction } from 'i18next'
import type { AttendanceCount, Course } from '#contract/endpoints/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { requiredLessonCount } from '#contract/rules/money-rules.ts'

/** Summarizes attendance, as in `6 von 7 besucht, 2 noch nicht erfasst`; null before the first lesson. */
export function formatAttendance(attendance: AttendanceCount | null, t: TFunction<'courses'>): string | null {
  if (attendance === null || attendance.held === 0) return null
  const { present, held, unrecorded } = attendance
  return unrecorded > 0
    ? t('card.attendanceOpen', { present, held, count: unrecorded })
    : t('card.attendance', { present, held })
}

/**
 * The fee that regular attendance waives, and the number of lessons it requires: for an existing booking or, if there
 * is none, for a booking made now.
 * @param nowWallMs current local time in the portal's time zone, in the unit of `toLocalTimeMs`
 * @returns null if no fee can be waived or the number of lessons in the attendance count is unknown
 */
export function feeWaiverOfferOf(
  course: Pick<Course, 'price' | 'attendance' | 'changes' | 'dates' | 'startTime'>,
  nowWallMs: number,
): { fee: number; needed: number; planned: number } | null {
  const { price, attendance, changes } = course
  if (!price?.freeWithAttendance || price.waived || price.fee === 0) return null
  if (attendance?.planned) return { fee: price.fee, needed: attendance.needed, planned: attendance.planned }
  // Extra lessons might not be included in the attendance count, so the number of lessons needed is unknown.
  if (changes.some(({ kind }) => kind === 'extra')) return null
  const planned = futureLessonsOf(course, nowWallMs).length
  return planned > 0 ? { fee: price.fee, needed: requiredLessonCount(planned), planned } : null
}

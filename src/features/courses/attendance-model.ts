import type { TFunction } from 'i18next'
import type { AttendanceCount, Course } from '#contract/endpoints/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { requiredLessonCount } from '#contract/rules/money-rules.ts'
import { BOOKING_STATUS } from '#contract/values.ts'

/** Summarizes attendance, as in `6 von 7 besucht, 2 noch nicht erfasst`; null before the first lesson. */
export function formatAttendance(attendance: AttendanceCount | null, t: TFunction<'courses'>): string | null {
  if (attendance === null || attendance.held === 0) return null
  const { present, held, unrecorded } = attendance
  return unrecorded > 0
    ? t('card.attendanceOpen', { present, held, count: unrecorded })
    : t('card.attendance', { present, held })
}

type Dot = 'present' | 'excused' | 'missed' | 'unrecorded' | 'toCome'

/**
 * One dot for each lesson that is included in the attendance count, grouped by attendance status. Attended lessons come
 * first, so that the marker after dot `needed` shows how many more lessons are needed for the fee waiver.
 */
export function attendanceDotsOf({ held, present, excused, unrecorded, planned }: AttendanceCount): Dot[] {
  const dots: Dot[] = []
  const add = (kind: Dot, count: number) => {
    for (let added = 0; added < count && dots.length < planned; added++) dots.push(kind)
  }
  add('present', present)
  add('excused', excused)
  add('missed', held - present - excused - unrecorded)
  add('unrecorded', Math.min(unrecorded, held - dots.length))
  add('toCome', planned)
  return dots
}

/**
 * A user's progress towards the fee waiver for a booked course. `lessons`: the user must attend `count` more lessons
 * and still can; `unrecorded`: no more lessons follow, but the waiver still depends on lessons whose attendance has not
 * been recorded.
 */
export type FeeWaiverState = { kind: 'lessons'; count: number } | { kind: 'reached' | 'missed' | 'unrecorded' }

/** @returns null if regular attendance waives no fee here, or if the fee has already been waived */
export function feeWaiverStateOf({
  bookingStatus,
  attendance,
  price,
}: Pick<Course, 'bookingStatus' | 'attendance' | 'price'>): FeeWaiverState | null {
  if (bookingStatus !== BOOKING_STATUS.Booked || !attendance?.planned) return null
  if (!price?.freeWithAttendance || price.waived || price.fee === 0) return null
  const { held, present, excused, unrecorded, planned, needed } = attendance
  const count = needed - present - excused
  if (count <= 0) return { kind: 'reached' }
  if (count > planned - held + unrecorded) return { kind: 'missed' }
  return planned > held ? { kind: 'lessons', count } : { kind: 'unrecorded' }
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

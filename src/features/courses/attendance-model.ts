import type { TFunction } from 'i18next'
import type { AttendanceCount, Course } from '#contract/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { requiredLessonCount } from '#contract/money-rules.ts'
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
 * One dot per counted lesson, grouped by kind. Attended lessons come first, so that the notch at `needed` shows the
 * progress.
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
 * A user's progress towards the waiver of the fee for a booked course. `lessons`: how many more must be attended, as
 * long as that is possible.
 */
export type FeeWaiverState = { kind: 'lessons'; count: number } | { kind: 'reached' | 'missed' | 'unrecorded' }

/** @returns null if regular attendance waives no fee here, or if the fee has already been waived */
export function waiverStateOf({
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
 * The fee that regular attendance waives, and how many lessons it takes: for an existing booking or, without one, for a
 * booking made now.
 * @param nowWallMs current time on the portal's wall clock
 * @returns null if no fee can be waived or the number of counted lessons is unknown
 */
export function waiverOfferOf(
  course: Pick<Course, 'price' | 'attendance' | 'changes' | 'dates' | 'startTime'>,
  nowWallMs: number,
): { fee: number; needed: number; planned: number } | null {
  const { price, attendance, changes } = course
  if (!price?.freeWithAttendance || price.waived || price.fee === 0) return null
  if (attendance?.planned) return { fee: price.fee, needed: attendance.needed, planned: attendance.planned }
  // Extra lessons may not count, so the number of lessons needed is unknown.
  if (changes.some(({ kind }) => kind === 'extra')) return null
  const planned = futureLessonsOf(course, nowWallMs).length
  return planned > 0 ? { fee: price.fee, needed: requiredLessonCount(planned), planned } : null
}

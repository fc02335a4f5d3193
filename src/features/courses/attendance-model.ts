import type { TFunction } from 'i18next'
import type { AttendanceCount, Course } from '#contract/courses.ts'
import { futureLessonsOf } from '#contract/lessons.ts'
import { neededLessons } from '#contract/money-rules.ts'
import { BOOKING_STATUS } from '#contract/values.ts'

/** Attendance summary such as `6 von 7 besucht, 2 noch nicht erfasst`; null before the first lesson. */
export function formatAttendance(attendance: AttendanceCount | null, t: TFunction<'courses'>): string | null {
  if (attendance === null || attendance.held === 0) return null
  const { present, held, unrecorded } = attendance
  return unrecorded > 0
    ? t('card.attendanceOpen', { present, held, count: unrecorded })
    : t('card.attendance', { present, held })
}

type Dot = 'present' | 'excused' | 'missed' | 'unrecorded' | 'toCome'

/**
 * One dot per counted lesson, grouped by kind: attended ones first, so that the notch at `needed` shows the progress.
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
 * Progress of a booked course towards the waiver of its fee. `lessons`: how many more are needed, while they can be
 * reached.
 */
export type WaiverState = { kind: 'lessons'; count: number } | { kind: 'reached' | 'missed' | 'unrecorded' }

/** @returns null if regular attendance earns nothing here, or the fee is waived already */
export function waiverStateOf({
  bookingStatus,
  attendance,
  price,
}: Pick<Course, 'bookingStatus' | 'attendance' | 'price'>): WaiverState | null {
  if (bookingStatus !== BOOKING_STATUS.Booked || !attendance?.planned) return null
  if (!price?.freeWithAttendance || price.waived || price.fee === 0) return null
  const { held, present, excused, unrecorded, planned, needed } = attendance
  const count = needed - present - excused
  if (count <= 0) return { kind: 'reached' }
  if (count > planned - held + unrecorded) return { kind: 'missed' }
  return planned > held ? { kind: 'lessons', count } : { kind: 'unrecorded' }
}

/**
 * The fee that regular attendance waives, and the lessons it takes: of a booking, or of one made now.
 * @param nowWallMs the portal's wall clock @returns null without a waiver, and where the counted lessons are not known
 */
export function waiverOfferOf(
  course: Pick<Course, 'price' | 'attendance' | 'changes' | 'dates' | 'startTime'>,
  nowWallMs: number,
): { fee: number; needed: number; planned: number } | null {
  const { price, attendance, changes } = course
  if (!price?.freeWithAttendance || price.waived || price.fee === 0) return null
  if (attendance?.planned) return { fee: price.fee, needed: attendance.needed, planned: attendance.planned }
  // Extra lessons may be excluded from the count, so the number needed is unknown.
  if (changes.some(({ kind }) => kind === 'extra')) return null
  const planned = futureLessonsOf(course, nowWallMs).length
  return planned > 0 ? { fee: price.fee, needed: neededLessons(planned), planned } : null
}

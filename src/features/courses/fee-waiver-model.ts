import type { AttendanceCount, Course } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'

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

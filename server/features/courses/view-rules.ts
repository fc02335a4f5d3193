import type { BookingStatus, EmployeeStatus } from '#contract/values.ts'
import type { Proof } from '#server/features/money/proof-rules.ts'
import type { CourseNow } from './rules.ts'

/**
 * Price of a booking: one of the course's fees, and energy costs. `onceVerifiedCents`: fee after the person's
 * verification; null: unchanged.
 */
export type Fee = { cents: number; rule: 'fee' | 'external'; energyCents: number; onceVerifiedCents: number | null }
export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** waiting-list position from 1; 0 for a place */
  position: number
  /** recorded attendance by lesson */
  presence: { lessonId: number; isPresent: boolean }[]
  /** when the person got the place, wall-clock time 'YYYY-MM-DD HH:MM:SS'; null while waiting */
  placeSince: string | null
  /** as agreed when booking */
  fee: Fee
  /** regular attendance waives the fee: the course's setting as of the booking */
  isWaiverOffered: boolean
  /** status group as of the booking */
  employeeStatus: EmployeeStatus | null
}

export type Viewer = {
  webUserId: number
  email: string
  /** null: not specified */
  employeeStatus: EmployeeStatus | null
  /** has an unverified status although the department maintains an HR list: pays as an external */
  isUnverified: boolean
  yearOfBirth: number | null
  /** member of a division restricted to online courses */
  isOnlineOnly: boolean
  /** accepted proofs of sickness and shift work */
  proofs: Proof[]
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one time as a person sees it, or a visitor (null). */
export type CourseView = CourseNow & { viewer: Viewer | null }

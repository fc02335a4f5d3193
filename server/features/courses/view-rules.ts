import type { BookingStatus, EmployeeStatus } from '#contract/values.ts'
import type { Proof } from '#server/features/money/proof-rules.ts'
import type { CourseNow } from './rules.ts'

/** What a booking costs: one of the course's fees, and energy. `onceVerifiedCents`: the fee from the person's verification on; null: no change. */
export type Fee = { cents: number; rule: 'fee' | 'external'; energyCents: number; onceVerifiedCents: number | null }
export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** on the waiting list from 1; 0 for a place */
  position: number
  /** what is recorded of the person by lesson */
  presence: { lessonId: number; isPresent: boolean }[]
  /** when the person got the place, wall-clock time 'YYYY-MM-DD HH:MM:SS'; null while waiting */
  placeSince: string | null
  /** as agreed on when booking */
  fee: Fee
  /** regular attendance waives the fee: the course's flag as of the booking */
  isWaiverOffered: boolean
  /** the person's group when booking */
  employeeStatus: EmployeeStatus | null
}

export type Viewer = {
  webUserId: number
  email: string
  /** null: not given yet */
  employeeStatus: EmployeeStatus | null
  /** claims a group, and the department has an HR list but has not verified the person: pays as an external */
  isUnverified: boolean
  yearOfBirth: number | null
  /** member of a division that may book online courses only */
  isOnlineOnly: boolean
  /** accepted proofs of sickness and shift work */
  proofs: Proof[]
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one time in the eyes of one person, or of a visitor (null). */
export type CourseView = CourseNow & { viewer: Viewer | null }

import type { AttendanceCount, Price } from '#contract/courses.ts'
import { BOOKING_STATUS, type BookingStatus, EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import type { CourseNow, Lesson } from '#server/features/courses/rules.ts'

/** What a booking costs without energy, and which of the course's fees that is. */
export type Fee = { cents: number; rule: 'fee' | 'external' }
/** In mails whose fee the statement that writes them fills in. */
export const NO_FEE: Fee = { cents: 0, rule: 'fee' }

export type Booking = {
  state: Exclude<BookingStatus, 0>
  /** on the waiting list from 1; 0 for a place */
  position: number
  /** number of dates on which the person was present */
  presentDates: number
  /** when the person got the place, wall-clock time 'YYYY-MM-DD HH:MM:SS'; null while waiting */
  placeSince: string | null
  /** as agreed on when booking */
  fee: Fee
  /** the person's group when booking */
  employeeStatus: EmployeeStatus | null
}

/** The person who looks at courses. */
export type Viewer = {
  webUserId: number
  email: string
  /** null: not given yet */
  employeeStatus: EmployeeStatus | null
  yearOfBirth: number | null
  /** member of a division that may book online courses only */
  isOnlineOnly: boolean
  /** active bookings by course id */
  bookings: Map<number, Booking>
}

/** A course at one moment in the eyes of one person, or of a visitor (null). */
export type CourseView = CourseNow & { viewer: Viewer | null }

export const bookingOf = ({ facts, viewer }: CourseView): Booking | null =>
  viewer?.bookings.get(facts.course.id) ?? null

export const isExternal = (viewer: Viewer | null): boolean => viewer?.employeeStatus === EMPLOYEE_STATUS.External

/** What a booking would cost now. */
export const feeFor = ({ facts, viewer }: CourseView): Fee =>
  isExternal(viewer) ? { cents: facts.externalFeeCents, rule: 'external' } : { cents: facts.feeCents, rule: 'fee' }

/**
 * The first lesson to try for who has the place since `since` ('YYYY-MM-DD HH:MM:SS'); the last one, for who gets it while that
 * one runs.
 */
export const firstLessonAfter = (lessons: readonly Lesson[], since: string): Lesson => {
  const lesson = lessons.find(({ heldAt }) => heldAt > since) ?? lessons.at(-1)
  if (lesson === undefined) throw new Error('a course without lessons')
  return lesson
}

/**
 * The last calendar date 'YYYY-MM-DD' on which a place can be given back online, of who has it since a moment. Everybody gets a
 * lesson to try and five working days after it.
 */
export const cancelDay = ({ facts }: Pick<CourseNow, 'facts'>, placeSince: string): string =>
  firstLessonAfter(facts.lessons, placeSince).cancelUntil

/** How many of the planned lessons make attendance regular. */
export const regularLessons = (planned: number): number => Math.ceil((planned * 2) / 3)

/** The person's lessons in numbers; null without a booking. */
export function attendanceOf(view: CourseView): AttendanceCount | null {
  const booking = bookingOf(view)
  if (booking === null) return null
  const { facts, moment } = view
  const planned = facts.lessons.length
  return {
    held: facts.lessons.filter(({ heldAt }) => heldAt <= moment.wallClock).length,
    present: booking.presentDates,
    excused: 0,
    planned,
    needed: regularLessons(planned),
  }
}

const EARNS_ITS_FEE: readonly (EmployeeStatus | null)[] = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Pensioner]

/** Whether the fee is gone: all lessons are held, or the instructor has closed the attendance, and it was regular. */
function isWaived(view: CourseView): boolean {
  const attendance = attendanceOf(view)
  if (attendance === null || bookingOf(view)?.state !== BOOKING_STATUS.Booked) return false
  const { held, planned, present, excused, needed } = attendance
  return (view.counters.isParticipatingComplete || held === planned) && present + excused >= needed
}

/** What the person pays: as agreed on when booking, or as it would be now; null for a visitor. */
export function priceOf(view: CourseView): Price | null {
  const { facts, viewer } = view
  if (viewer === null) return null
  const { fee, employeeStatus } = bookingOf(view) ?? { fee: feeFor(view), employeeStatus: viewer.employeeStatus }
  const energyFeeCents = Math.round(facts.course.energyFee * 100)
  const freeWithAttendance = facts.course.freeWithAttendance && EARNS_ITS_FEE.includes(employeeStatus)
  const waived = freeWithAttendance && isWaived(view)
  const amountCents = (waived ? 0 : fee.cents) + energyFeeCents
  return {
    amount: amountCents / 100,
    fee: fee.cents / 100,
    energyFee: energyFeeCents / 100,
    kind: amountCents === 0 ? 'free' : fee.rule,
    freeWithAttendance,
    waived,
  }
}

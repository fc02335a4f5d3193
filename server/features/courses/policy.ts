import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { bookingOf, type CourseLook } from './rules.ts'

const INSURER_MINIMUM_AGE = 16

/** Why a person cannot book a course now. */
export type Obstacle = 'over' | 'onlineOnly' | 'yearOfBirthMissing' | 'tooYoung' | 'notOpenYet' | 'fullForExternals'

const isExternal = ({ viewer }: CourseLook) => viewer?.employeeStatus === EMPLOYEE_STATUS.External

/** Externals book only while places are free. */
export const mayWait = (look: CourseLook): boolean => !isExternal(look)

/** What a booking costs, and which of the course's prices that is. */
export type Price = { cents: number; rule: 'fee' | 'external' }

export const priceFor = (look: CourseLook): Price =>
  isExternal(look)
    ? { cents: look.facts.externalFeeCents, rule: 'external' }
    : { cents: look.facts.feeCents, rule: 'fee' }

/**
 * The first reason that keeps the person from booking now, what can never change before what may; null when there is none.
 * Somebody who has a booking already is not kept from anything.
 */
export function findObstacle(look: CourseLook): Obstacle | null {
  const { facts, counters, moment, viewer } = look
  if (moment.now >= facts.closesAt) return 'over'
  if (viewer?.isOnlineOnly && facts.meeting.meetingURL === '') return 'onlineOnly'
  if (viewer?.employeeStatus === EMPLOYEE_STATUS.HealthInsurance) {
    if (viewer.yearOfBirth === null) return 'yearOfBirthMissing'
    if (facts.course.start.year - viewer.yearOfBirth < INSURER_MINIMUM_AGE) return 'tooYoung'
  }
  if (moment.now < facts.opensAt) return 'notOpenYet'
  if (counters.taken >= facts.course.participants && !mayWait(look)) return 'fullForExternals'
  return null
}

/** A place can be given back until the end of the 5th working day after the first lesson. */
export const isPlaceReturnable = ({ facts, moment }: CourseLook): boolean => moment.today <= facts.cancelUntil

/** Waiting people may leave at any time. */
export function isCancellable(look: CourseLook): boolean {
  const booking = bookingOf(look)
  return booking !== null && (booking.state === BOOKING_STATUS.Waitinglist || isPlaceReturnable(look))
}

/** The meeting is for the people who have a place and for the instructors of the course. */
export function maySeeMeeting(look: CourseLook): boolean {
  const { facts, viewer } = look
  if (viewer === null) return false
  return bookingOf(look)?.state === BOOKING_STATUS.Booked || facts.instructorEmails.includes(viewer.email)
}

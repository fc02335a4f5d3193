import type { Obstacle } from '#contract/courses.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import type { CourseView } from '#server/features/courses/view-rules.ts'
import { teachesCourse } from '#server/lessons/teaching.ts'
import { bookingOf, cancelDay, isExternal } from './pricing-rules.ts'

const INSURER_MINIMUM_AGE = 16

/** Externals book only while places are free. See docs/decisions/0027. */
export const mayWait = ({ viewer }: CourseView): boolean => !isExternal(viewer)

/** Why the person may not book on their own, beside what is over: what can never change stands before what may. */
function* obstaclesOf({ facts, counters, time, viewer }: CourseView): Generator<Obstacle> {
  if (facts.isCancelled) yield 'cancelled'
  if (time.now >= facts.closesAt) yield 'over'
  if (viewer === null) return yield 'notLoggedIn'
  if (viewer.isOnlineOnly && facts.meeting.meetingURL === '') yield 'onlineOnly'
  if (viewer.employeeStatus === null) yield 'profileIncomplete'
  if (viewer.employeeStatus === EMPLOYEE_STATUS.HealthInsurance) {
    if (viewer.yearOfBirth === null) yield 'yearOfBirthMissing'
    else if (facts.course.start.year - viewer.yearOfBirth < INSURER_MINIMUM_AGE) yield 'tooYoung'
  }
  if (time.now < facts.opensAt) yield 'notOpen'
  if (counters.taken >= facts.course.participants && isExternal(viewer)) yield 'fullForExternals'
}

/**
 * The first reason that keeps the person from booking now; null when there is none, and for somebody who has a booking already.
 * Without an employee status neither the price nor the rules can be known. See docs/decisions/0027.
 */
export function findObstacle(view: CourseView): Obstacle | null {
  if (bookingOf(view) !== null) return null
  const { value } = obstaclesOf(view).next()
  return value ?? null
}

/** All of them, for the department, which may break most. */
export const listObstacles = (view: CourseView): Obstacle[] => [...obstaclesOf(view)]

/** Until the end of the 5th working day after the first lesson of who has the place. Who waits could give back one got now. */
export const isPlaceReturnable = (view: CourseView): boolean =>
  view.time.today <= cancelDay(view.facts, bookingOf(view)?.placeSince ?? view.time.wallClock)

/** Waiting people may leave at any time. */
export function isCancellable(view: CourseView): boolean {
  const booking = bookingOf(view)
  return booking !== null && (booking.state === BOOKING_STATUS.Waitinglist || isPlaceReturnable(view))
}

/**
 * The last calendar date 'YYYY-MM-DD' on which the person can give the place back online, or could when booking now. Null for
 * visitors, for who waits or cannot, and once it has passed: nobody is told a deadline that is over.
 */
export function findCancelDay(view: CourseView): string | null {
  const { time, viewer, facts } = view
  const booking = bookingOf(view)
  if (viewer === null || booking?.state === BOOKING_STATUS.Waitinglist || (!booking && time.now >= facts.closesAt))
    return null
  const day = cancelDay(facts, booking?.placeSince ?? time.wallClock)
  return time.today <= day ? day : null
}

/** The meeting is for the people who have a place and for those who teach the course. */
export function maySeeMeeting(view: CourseView): boolean {
  const { facts, viewer } = view
  if (viewer === null) return false
  return bookingOf(view)?.state === BOOKING_STATUS.Booked || teachesCourse(facts, viewer.email)
}

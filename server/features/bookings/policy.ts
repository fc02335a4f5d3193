import type { BookingObstacle } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import type { CourseView } from '#server/features/courses/rules.ts'
import { teachesCourse } from '#server/features/lessons/repository.ts'
import { cancellationDeadlineOf, firstLessonDay, isExternalViewer, viewerBookingOf } from './pricing-rules.ts'

const INSURER_MINIMUM_AGE = 16

/**
 * Whether a person may join the waiting list. External participants may only book free seats. See docs/decisions/0027.
 */
export const mayJoinWaitingList = ({ viewer }: CourseView): boolean => !isExternalViewer(viewer)

/** Reasons why the person cannot book, permanent ones before temporary ones. */
function* obstaclesOf({ facts, counters, time, viewer }: CourseView): Generator<BookingObstacle> {
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
  if (counters.taken >= facts.course.participants && isExternalViewer(viewer)) yield 'fullForExternals'
}

/**
 * First reason why the person cannot book now; null if there is none or the person already has a booking. Without an
 * employee status, neither the price nor the rules can be determined. See docs/decisions/0027.
 */
export function findBookingObstacle(view: CourseView): BookingObstacle | null {
  if (viewerBookingOf(view) !== null) return null
  const { value } = obstaclesOf(view).next()
  return value ?? null
}

/** Lists all reasons why the person cannot book, for the department, which may override most of them. */
export const listBookingObstacles = (view: CourseView): BookingObstacle[] => [...obstaclesOf(view)]

/** Time until which the seat that the person has, or would receive now, can be cancelled; it may be past. */
export function seatDeadlineOf(view: CourseView): string {
  const { facts, time } = view
  const booking = viewerBookingOf(view)
  const day = booking?.firstLessonOn ?? firstLessonDay(facts, booking?.placeSince ?? time.wallClock)
  return cancellationDeadlineOf(facts, day)
}

/** Whether a seat can be cancelled. For a person on the waiting list: whether a seat assigned now could be cancelled. */
export const isSeatCancellable = (view: CourseView): boolean =>
  view.time.now < view.facts.closesAt && view.time.wallClock <= seatDeadlineOf(view)

/** Whether the person can cancel now; waiting-list entries can be cancelled at any time. */
export function isBookingCancellable(view: CourseView): boolean {
  const booking = viewerBookingOf(view)
  return booking !== null && (booking.state === BOOKING_STATUS.Waitinglist || isSeatCancellable(view))
}

/**
 * Time 'YYYY-MM-DD HH:MM:SS' until which the person can cancel online, or could if they booked now. Null for visitors,
 * for people on the waiting list, after the deadline, and if the course is over.
 */
export function findCancellationDeadline(view: CourseView): string | null {
  const isWaiting = viewerBookingOf(view)?.state === BOOKING_STATUS.Waitinglist
  return view.viewer === null || isWaiting || !isSeatCancellable(view) ? null : seatDeadlineOf(view)
}

/** Whether the viewer may see the link to the online meeting, as participants, guests and instructors of the course may. */
export function canSeeMeetingLink(view: CourseView): boolean {
  const { facts, viewer } = view
  if (viewer === null) return false
  return (
    viewerBookingOf(view)?.state === BOOKING_STATUS.Booked ||
    viewer.guestCourseIds.includes(facts.course.id) ||
    teachesCourse(facts, viewer.email)
  )
}

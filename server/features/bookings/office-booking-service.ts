import type { BookingObstacle } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { listCourseFacts, toCourseCounters } from '#server/features/courses/repository.ts'
import { type CourseView, courseStateAtTime } from '#server/features/courses/rules.ts'
import { listCountersWithViewers } from '#server/features/courses/view-repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import type { BookingMail } from '#server/platform/outbox/mail-kinds.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { type CancellationCharge, insertStaffBooking, updateCancellationCharge } from './office-booking-repository.ts'
import { isSeatCancellable, listBookingObstacles, seatDeadlineOf } from './policy.ts'
import { bookingFeeOf, firstLessonDay, viewerBookingOf } from './pricing-rules.ts'
import * as repository from './repository.ts'
import { toBookingMail, toDeadline } from './rules.ts'
import { closeWaitingList, createPromotionNotice, updateWaitingList } from './waiting-list-service.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

/**
 * Reads a course, whose row the caller has locked, as a person sees it, including drafts; null if the course or the
 * person does not exist.
 */
export async function findPersonCourseView(
  tx: Queryable,
  region: string,
  courseId: number,
  webUserId: number,
): Promise<CourseView | null> {
  const view = await findCourseView(tx, region, courseId, webUserId)
  return view?.viewer ? view : null
}

/** Finds a course as a viewer sees it. `viewer` is null if no such person exists, for example for a service token. */
export async function findCourseView(
  tx: Queryable,
  region: string,
  courseId: number,
  webUserId: number,
): Promise<CourseView | null> {
  const [facts] = await listCourseFacts(tx, region, courseId)
  const [counted] = await listCountersWithViewers(tx, [{ courseId, webUserId }])
  const [own] = counted?.counters ?? []
  if (!facts || !counted || !own) return null
  const { viewer, time } = counted
  const course = courseStateAtTime(facts, toCourseCounters(own), time)
  return { ...course, viewer }
}

/** Booking rules that even the department cannot override. */
const FINAL: readonly BookingObstacle[] = ['cancelled', 'over', 'locked', 'notLoggedIn']

/** Booking rules that a booking would violate, and whether each can be overridden. */
export const listViolatedBookingRules = (view: CourseView): { obstacle: BookingObstacle; isFinal: boolean }[] =>
  listBookingObstacles(view).map(obstacle => ({ obstacle, isFinal: FINAL.includes(obstacle) }))

/**
 * Books a seat in a course whose row is locked, or adds the person to the waiting list if the course is full, and sends
 * the usual booking e-mail.
 * @returns null if the person does not exist
 */
export async function bookCourseForPerson(
  tx: Queryable,
  view: CourseView,
): Promise<{ state: repository.ActiveBookingState; position: number; mail: BookingMail } | null> {
  const { facts, viewer, time } = view
  if (viewer === null) return null
  const fee = bookingFeeOf(view)
  const placed = await insertStaffBooking(tx, facts.course.id, viewer.webUserId, fee)
  if (placed === null) return null
  const { state, position } = placed
  const { employeeStatus } = viewer
  const firstLessonOn = state === Booked ? firstLessonDay(facts, time.wallClock) : null
  const mail = toBookingMail(facts, { fee, state, position, firstLessonOn, employeeStatus }, time.wallClock)
  const kind = state === Booked ? 'booking' : 'waiting-list'
  await insertMail(tx, { webUserId: viewer.webUserId, kind, payload: mail })
  return { state, position, mail }
}

/**
 * Cancels a person's booking in a course whose row is locked, even after the deadline. The first person on the waiting
 * list is promoted.
 * @param charge ignored for a waiting-list entry
 * @returns data for the e-mail; null if the person has no booking
 */
export async function cancelBookingForPerson(
  tx: Queryable,
  view: CourseView,
  charge: CancellationCharge = { kind: 'none', cents: 0 },
  reason = '',
): Promise<BookingMail | null> {
  const { facts, viewer, time } = view
  const existing = viewerBookingOf(view)
  if (viewer === null || existing === null) return null
  const mailOf = (state: repository.ActiveBookingState) =>
    toBookingMail(
      facts,
      { fee: existing.fee, state, position: 0, firstLessonOn: null, employeeStatus: existing.employeeStatus },
      time.wallClock,
    )
  const isCharged = charge.kind !== 'none' && existing.state === Booked
  if (existing.state === Booked) {
    const updateList = time.now >= facts.closesAt ? closeWaitingList : updateWaitingList
    await updateList(tx, facts.course.id, time.wallClock, facts.region)
  }
  const ofPlace: BookingMail = {
    ...mailOf(Booked),
    ...(isCharged &&
      charge.cents > 0 && { charge: { cents: charge.cents, reason, freeUntil: toDeadline(seatDeadlineOf(view)) } }),
  }
  const ofSpot = mailOf(Waitinglist)
  const cancelled = await repository.cancelBooking(
    tx,
    {
      courseId: facts.course.id,
      webUserId: viewer.webUserId,
      isPlaceReturnable: true,
      mails: { [Booked]: ofPlace, [Waitinglist]: ofSpot },
      promotion: createPromotionNotice(facts, time.wallClock),
    },
    true,
  )
  if (cancelled && isCharged) await updateCancellationCharge(tx, facts.course.id, viewer.webUserId, charge)
  return cancelled && (existing.state === Booked ? ofPlace : ofSpot)
}

/** Time until which cancellation is free of charge; it may be past. */
export { seatDeadlineOf as freeUntilOf } from './policy.ts'

export const isLateCancellation = (view: CourseView): boolean =>
  viewerBookingOf(view)?.state === Booked && !isSeatCancellable(view)

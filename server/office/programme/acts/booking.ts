import { formatDeadline, formatMoney } from '#contract/words.ts'
import { type CancellationCharge, findProcessingFee } from '#server/features/bookings/office-booking-repository.ts'
import {
  cancelBookingForPerson,
  freeUntilOf,
  isLateCancellation,
} from '#server/features/bookings/office-booking-service.ts'
import { viewerBookingOf } from '#server/features/bookings/pricing-rules.ts'
import { toDeadline } from '#server/features/bookings/rules.ts'
import { findLateCancellationCents, insertLateCancellationEntry } from '#server/features/money/ledger-repository.ts'
import { type ActHandler, accountIdOf } from '#server/office/frame/office-context-service.ts'
import {
  bookSeatOrJoinWaitingList,
  notifyOfBooking,
  readCourseForPerson,
  restoreCancelledBooking,
  toBookingRecord,
} from '../seat-check-service.ts'

/**
 * Cancels a booking and promotes the first person on the waiting list. The charge is stored with the booking. Notifies
 * both people.
 */
const cancelBooking: ActHandler<'cancel-booking'> = async (office, { courseId, webUserId, charge: kind, amount }) => {
  await office.open('courses', courseId)
  const view = await readCourseForPerson(office, courseId, webUserId)
  const existing = viewerBookingOf(view)
  if (existing === null) {
    office.leaveUnchanged('courses', courseId)
    return {}
  }
  const isWaiting = existing.position > 0
  // The total charge is at most one full price, however often the person booked and cancelled.
  const lateBefore = await findLateCancellationCents(office.tx, courseId, webUserId)
  const price = Math.max(0, existing.fee.cents + existing.fee.energyCents - lateBefore)
  if (kind === 'share' && amount === undefined) office.fail('failed.amountMissing')
  if (kind !== 'share' && amount !== undefined) office.fail('failed.amountUnused')
  const share = Math.round((amount ?? 0) * 100)
  if (share > price) office.fail('failed.amount', { max: formatMoney(price / 100) })
  const processing = Math.min(price, await findProcessingFee(office.tx, courseId, webUserId))
  const centsOf = { none: 0, share, full: price, processing }
  const charge: CancellationCharge = isWaiting ? { kind: 'none', cents: 0 } : { kind, cents: centsOf[kind] }
  const freeUntil = freeUntilOf(view)
  const day = formatDeadline(toDeadline(freeUntil))
  if (isLateCancellation(view) && charge.cents < price) office.refuseOwn(webUserId)
  if (isLateCancellation(view)) office.askReason('reason.late', { day })
  else if (charge.kind !== 'none')
    office.askReason('reason.chargeEarly', { day, amount: formatMoney(charge.cents / 100) })
  const mail = await cancelBookingForPerson(office.tx, view, charge, office.reason)
  await insertLateCancellationEntry(office.tx, {
    courseId,
    webUserId,
    cents: charge.cents,
    reason: office.reason,
    freeUntil,
    madeBy: accountIdOf(office.actor),
  })
  if (mail) await notifyOfBooking(office, webUserId, 'cancellation', mail)
  office.note({
    before: toBookingRecord(existing),
    after: { bookingStatus: 0, charge: charge.kind, chargeCents: charge.cents },
  })
  return {}
}

/** Books a seat for a person, or adds the person to the waiting list if the course is full. Notifies the person. */
const bookSeat: ActHandler<'book'> = async (office, { courseId, webUserId, undoes }) => {
  await office.open('courses', courseId)
  const view = await readCourseForPerson(office, courseId, webUserId)
  const existing = viewerBookingOf(view)
  if (existing === null && undoes !== undefined) return restoreCancelledBooking(office, undoes, { courseId, webUserId })
  if (existing === null) return bookSeatOrJoinWaitingList(office, view)
  office.leaveUnchanged('courses', courseId)
  return { bookingStatus: existing.state, position: existing.position }
}

/**
 * Moves a booking to another course atomically, at the new course's price. Notifies the person, and anyone promoted
 * from the waiting list.
 */
const moveBooking: ActHandler<'move-booking'> = async (office, { fromCourseId, toCourseId, webUserId, undoes }) => {
  // Locks courses in ascending order of their ids, to prevent deadlocks between moves in opposite directions.
  const isFromFirst = fromCourseId <= toCourseId
  if (!isFromFirst) await office.touch('courses', toCourseId)
  await office.open('courses', fromCourseId)
  if (isFromFirst) await office.touch('courses', toCourseId)
  const from = await readCourseForPerson(office, fromCourseId, webUserId)
  const to = await readCourseForPerson(office, toCourseId, webUserId)
  office.note({ objects: { fromCourseId, toCourseId, webUserId } })
  const existing = viewerBookingOf(from)
  if (existing === null) return office.fail('failed.notBooked')
  office.note({ before: toBookingRecord(existing) })
  if (viewerBookingOf(to) !== null) office.fail('failed.alreadyThere')
  if (to.counters.taken >= to.facts.course.participants) office.fail('failed.full')
  if (isLateCancellation(from)) office.refuseOwn(webUserId)
  const mail = await cancelBookingForPerson(office.tx, from)
  if (mail) await notifyOfBooking(office, webUserId, 'cancellation', mail)
  if (undoes !== undefined) return restoreCancelledBooking(office, undoes, { courseId: toCourseId, webUserId })
  return bookSeatOrJoinWaitingList(office, await readCourseForPerson(office, toCourseId, webUserId))
}

export const bookingHandlers = {
  book: bookSeat,
  'cancel-booking': cancelBooking,
  'move-booking': moveBooking,
}

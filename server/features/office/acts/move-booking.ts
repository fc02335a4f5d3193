import { endBooking } from '#server/features/bookings/desk-service.ts'
import { bookingOf } from '#server/features/bookings/pricing-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { giveSeat, openSeatCheck } from '../seat-check-service.ts'

/** From one course to another, both or nothing, at the price of the new one. Tells the person, and who moved up. */
export const moveBooking: ActHandler<'move-booking'> = async (desk, { fromCourseId, toCourseId, webUserId }) => {
  // Always in the same order, so that two moves against each other never wait in a circle.
  const isFromFirst = fromCourseId <= toCourseId
  if (!isFromFirst) await desk.touch('courses', toCourseId)
  await desk.open('courses', fromCourseId)
  if (isFromFirst) await desk.touch('courses', toCourseId)
  const from = await openSeatCheck(desk, fromCourseId, webUserId)
  const to = await openSeatCheck(desk, toCourseId, webUserId)
  desk.note({ objects: { fromCourseId, toCourseId, webUserId } })
  if (bookingOf(from) === null) desk.fail('failed.notBooked')
  if (bookingOf(to) !== null) desk.fail('failed.alreadyThere')
  if (to.counters.taken >= to.facts.course.participants) desk.fail('failed.full')
  await endBooking(desk.tx, from)
  return giveSeat(desk, await openSeatCheck(desk, toCourseId, webUserId))
}

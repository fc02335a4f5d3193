import { endBooking, isLate } from '#server/features/bookings/desk-service.ts'
import { bookingOf } from '#server/features/bookings/viewer-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { openPlacement, tellPlacement } from '../placement-service.ts'

/** Frees the place; who waits longest moves up. The charge stays with the booking. Tells the person and who moved up. */
export const cancelBooking: ActHandler<'cancel-booking'> = async (desk, { courseId, webUserId, charge }) => {
  await desk.open('courses', courseId)
  const view = await openPlacement(desk, courseId, webUserId)
  const existing = bookingOf(view)
  if (existing === null) return {}
  if (isLate(view)) desk.askReason('reason.late')
  await endBooking(desk.tx, view, charge)
  await tellPlacement(desk, view, existing.position > 0 ? 'left' : 'ended')
  desk.note({
    before: { bookingStatus: existing.state, position: existing.position },
    after: { bookingStatus: 0, charge },
  })
  return {}
}

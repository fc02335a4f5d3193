import { bookingOf } from '#server/features/bookings/pricing-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { giveSeat, openSeatCheck } from '../seat-check-service.ts'

/** A place while there is one, else the end of the waiting list. Tells the person. */
export const book: ActHandler<'book'> = async (desk, { courseId, webUserId }) => {
  await desk.open('courses', courseId)
  const view = await openSeatCheck(desk, courseId, webUserId)
  const existing = bookingOf(view)
  if (existing) return { bookingStatus: existing.state, position: existing.position }
  return giveSeat(desk, view)
}

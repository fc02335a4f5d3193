import { bookingOf } from '#server/features/bookings/viewer-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { openPlacement, place } from '../placement-service.ts'

/** A place while there is one, else the end of the waiting list. Tells the person. */
export const book: ActHandler<'book'> = async (desk, { courseId, webUserId }) => {
  await desk.open('courses', courseId)
  const view = await openPlacement(desk, courseId, webUserId)
  const existing = bookingOf(view)
  if (existing) return { bookingStatus: existing.state, position: existing.position }
  return place(desk, view)
}

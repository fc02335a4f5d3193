import type { Queryable } from '#server/db/client.ts'
import { createLanes } from '#server/db/gate.ts'
import { together } from '#server/db/together.ts'
import { type InsertedBooking, insertBooking, insertBookings, type NewBooking } from './booking-repository.ts'

/** Takes a place or a spot as insertBooking does. */
export type Booker = (booking: NewBooking) => Promise<InsertedBooking | 'known' | null>

/** The bookings of a portal, those that come at once in one statement: there is one booker, in whatever process. */
export function createBooker(db: Queryable): Booker {
  const lanes = createLanes()
  const insertWithOthers = together((bookings: NewBooking[]) => insertBookings(db, bookings), {
    // A second one would find its courses taken by the first.
    maxUnderWay: 1,
    rivalKeyOf: ({ courseId, webUserId }) => `${courseId} ${webUserId}`,
  })
  return async booking => {
    const inserted = await insertWithOthers(booking)
    return inserted === 'left' ? lanes.run(booking.courseId, () => insertBooking(db, booking)) : inserted
  }
}

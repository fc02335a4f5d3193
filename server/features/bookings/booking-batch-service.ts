import { createBatcher } from '#server/platform/db/batch.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { monotonicClockMs } from '#server/platform/db/clock.ts'
import { createKeyedSemaphores } from '#server/platform/db/semaphore.ts'
import {
  type InsertedBooking,
  insertBooking,
  insertBookings,
  type NewBooking,
  type SoldOutResult,
} from './booking-repository.ts'

/**
 * Booking request and the time at which it was made (monotonicClockMs). Anything observed after that time may be used
 * to respond to the request.
 */
type Call = NewBooking & { askedAt: number }

export type BookingBatcher = (booking: Call) => Promise<InsertedBooking | SoldOutResult | 'known' | null>

/** Maximum number of sold-out courses to remember. */
const MOST_SOLD_OUT = 1_000

/**
 * Creates bookings, batching concurrent ones in one statement. One instance serves all processes. A person who may not
 * join the waiting list is rejected without another statement if the course was found to be sold out after the request
 * arrived. See docs/decisions/0003.
 * @param wakeMailer called when a booking has queued an e-mail
 */
export function createBookingBatcher(db: Queryable, wakeMailer: () => void): BookingBatcher {
  const soldOut = new Map<number, SoldOutResult & { since: number }>()
  const remember = (courseId: number, found: SoldOutResult, since: number) => {
    soldOut.delete(courseId)
    soldOut.set(courseId, { ...found, since })
    const [oldest] = soldOut.keys()
    if (soldOut.size > MOST_SOLD_OUT && oldest !== undefined) soldOut.delete(oldest)
  }
  const recall = ({ courseId, mayWait, askedAt }: Call): SoldOutResult | null => {
    const known = mayWait ? undefined : soldOut.get(courseId)
    return known && askedAt <= known.since ? { isSoldOut: true, taken: known.taken } : null
  }

  const insertAll = async (bookings: Call[]) => {
    const since = monotonicClockMs()
    const recalled = bookings.map(recall)
    const asked = bookings.filter((_, index) => recalled[index] === null)
    const inserted = asked.length > 0 ? await insertBookings(db, asked) : []
    for (const [index, found] of inserted.entries()) {
      if (isSoldOut(found)) remember(asked[index]?.courseId ?? 0, found, since)
    }
    const rest = inserted.values()
    return recalled.map(known => known ?? rest.next().value ?? null)
  }

  const lanes = createKeyedSemaphores()
  const insertWithOthers = createBatcher(insertAll, ({ courseId, webUserId }) => `${courseId} ${webUserId}`)
  const insertAlone = (booking: Call) =>
    lanes.run(booking.courseId, async () => recall(booking) ?? insertBooking(db, booking))
  return async booking => {
    const first = await insertWithOthers(booking)
    const inserted = first === 'left' ? await insertAlone(booking) : first
    // The response is resolved first, because a user is waiting for it.
    if (inserted !== null && inserted !== 'known' && !isSoldOut(inserted)) setImmediate(wakeMailer)
    return inserted
  }
}

export const isSoldOut = (found: InsertedBooking | SoldOutResult | 'known' | 'left' | null): found is SoldOutResult =>
  found !== null && typeof found === 'object' && found.isSoldOut === true

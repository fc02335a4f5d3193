import { createBatcher } from '#server/db/batch.ts'
import type { Queryable } from '#server/db/client.ts'
import { clockMs } from '#server/db/clock.ts'
import { createKeyedSemaphores } from '#server/db/semaphore.ts'
import {
  type InsertedBooking,
  insertBooking,
  insertBookings,
  type NewBooking,
  type SoldOut,
} from './booking-repository.ts'

/** With the time of the call by clockMs: what is found to be true after it is an answer to it. */
type Call = NewBooking & { askedAt: number }

export type Booker = (booking: Call) => Promise<InsertedBooking | SoldOut | 'known' | null>

/** Courses of which more is not worth remembering. */
const MOST_SOLD_OUT = 1_000

/**
 * The bookings of a portal, those that come at once in one statement: there is one booker, in whatever process. Who may not wait
 * and called before a course was seen to be sold out is told so without another statement: it was true after their call.
 * See docs/decisions/0003.
 * @param wakeMailer the booking has its mail
 */
export function createBooker(db: Queryable, wakeMailer: () => void): Booker {
  const soldOut = new Map<number, SoldOut & { since: number }>()
  const remember = (courseId: number, found: SoldOut, since: number) => {
    soldOut.delete(courseId)
    soldOut.set(courseId, { ...found, since })
    const [oldest] = soldOut.keys()
    if (soldOut.size > MOST_SOLD_OUT && oldest !== undefined) soldOut.delete(oldest)
  }
  const recall = ({ courseId, mayWait, askedAt }: Call): SoldOut | null => {
    const known = mayWait ? undefined : soldOut.get(courseId)
    return known && askedAt <= known.since ? { isSoldOut: true, taken: known.taken } : null
  }

  const insertAll = async (bookings: Call[]) => {
    const since = clockMs()
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
    // First the answer, that a person waits for.
    if (inserted !== null && inserted !== 'known' && !isSoldOut(inserted)) setImmediate(wakeMailer)
    return inserted
  }
}

export const isSoldOut = (found: InsertedBooking | SoldOut | 'known' | 'left' | null): found is SoldOut =>
  found !== null && typeof found === 'object' && found.isSoldOut === true

import { getDateTime } from '#contract/system.ts'
import { call } from './api-client.ts'
import { wallClockMs } from './format.ts'
import { instantOf } from './portal-time.ts'

/** One look at the server's clock: what it showed (whole seconds, as ms since 1970), and when it was asked by ours. */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/**
 * The server's clock minus ours, in ms. It shows whole seconds, so a sample says only the least it can be; the largest of
 * these is the closest, and never early. A sample far below the earlier ones means that our own clock was set.
 */
export function nextOffset(known: number | null, { serverMs, sentAt, receivedAt }: ClockSample): number {
  const roundTrip = receivedAt - sentAt
  const least = serverMs - (sentAt + roundTrip / 2)
  if (known === null || known > least + 1000 + roundTrip) return least
  return Math.max(known, least)
}

let offset: number | null = null

/** Asks the server for its time. @throws ApiError, NoAnswerError */
export async function syncServerClock(): Promise<void> {
  const sentAt = Date.now()
  const value = await call(getDateTime, {})
  offset = nextOffset(offset, { serverMs: instantOf(wallClockMs(value)), sentAt, receivedAt: Date.now() })
}

/** Now by the server's clock, in ms since 1970; by ours as long as the server has not been asked. */
export const serverNowMs = (): number => Date.now() + (offset ?? 0)

/** The server's clock minus ours in ms, null before the first answer. */
export const clockOffsetMs = (): number | null => offset

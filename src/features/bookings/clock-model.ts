/** One look at the server's clock: what it showed (whole seconds, as ms since 1970), and when it was asked by ours. */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/** Of a slower answer nobody knows which half of the way took the time. */
const PROMPT_MS = 200

/**
 * The server's clock minus ours, in ms, from one more sample. The server shows whole seconds, so a sample says only the least
 * it can be: the largest of these comes closest. Half the round trip is taken for the way back; of a slow answer all of it, so
 * that the countdown is not early. A sample far below the others means that our clock was set.
 */
export function nextOffset(measured: number | null, { serverMs, sentAt, receivedAt }: ClockSample): number {
  const roundTrip = receivedAt - sentAt
  const least = serverMs - (roundTrip > PROMPT_MS ? receivedAt : sentAt + roundTrip / 2)
  return measured === null || measured > least + 1000 + roundTrip ? least : Math.max(measured, least)
}

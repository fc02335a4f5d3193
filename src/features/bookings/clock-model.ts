/** One look at the server's clock: what it showed (whole seconds, as ms since 1970), and when it was asked by ours. */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/**
 * The server's clock minus ours, in ms, from one more sample. The server shows whole seconds, so a sample says only the least
 * it can be: the largest of these comes closest and is never early. One far below the others means that our clock was set.
 */
export function nextOffset(known: number | null, { serverMs, sentAt, receivedAt }: ClockSample): number {
  const roundTrip = receivedAt - sentAt
  const least = serverMs - (sentAt + roundTrip / 2)
  return known === null || known > least + 1000 + roundTrip ? least : Math.max(known, least)
}

/** Server time minus device time in ms, as measured at the last answer; 0 before the first. */
let offsetMs = 0

export const clockOffsetMs = (): number => offsetMs

/**
 * Notes what an answer's `Date` header tells about this device's clock. The header has whole seconds; half a second is added
 * for what it cuts off.
 * @param sentAt @param receivedAt device time in ms
 */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header)
  // An answer out of a cache, or one that took long, says little about now.
  if (Number.isNaN(serverMs) || receivedAt - sentAt > 5_000) return
  const measured = serverMs + 500 - (sentAt + receivedAt) / 2
  // Differences below the header's precision are noise.
  offsetMs = Math.abs(measured) < 1_500 ? 0 : Math.round(measured)
}

const KEY = 'ClockOffset'

/** The offset measured last, also by an earlier page: a start without a network has none of its own. */
function recall(): number {
  try {
    return Number(localStorage.getItem(KEY))
  } catch {
    return 0
  }
}

let offsetMs = recall()

/** Server time minus device time in ms, as measured at the last answer; 0 before the first. */
export const clockOffsetMs = (): number => offsetMs

/**
 * Notes what an answer's `Date` header tells about this device's clock. The header has whole seconds; half a second is added
 * for what it cuts off.
 * @param sentAt @param receivedAt device time in ms
 */
export function noteServerDate(header: string | null, sentAt: number, receivedAt: number): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header)
  // An answer out of a cache, or one that took long, says little about now.
  if (Number.isNaN(serverMs) || receivedAt < sentAt || receivedAt - sentAt > 5_000) return
  const measured = serverMs + 500 - (sentAt + receivedAt) / 2
  // Differences below the header's precision are noise.
  const rounded = Math.abs(measured) < 1_500 ? 0 : Math.round(measured)
  if (rounded === offsetMs) return
  offsetMs = rounded
  try {
    localStorage.setItem(KEY, String(offsetMs))
  } catch {
    // Blocked storage, or the worker, which has none: the offset lasts as long as the page.
  }
}

/** The server's time, ms since 1970, as well as this device knows it: its own clock may be wrong by days. */
export const serverNow = (): number => Date.now() + offsetMs

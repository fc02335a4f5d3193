const WITHIN_MS = 1_000
/** So many new mails within it make a rush. */
const CALLS = 50
const LONGEST_MS = 15_000
const WAKE_MS = 250

/** For as long as many bookings come at once their mails wait, urgent ones aside, and no longer than 15 s. */
export function createRush(now: () => number = () => performance.now()) {
  let window = { from: Number.NEGATIVE_INFINITY, calls: 0 }
  let begunAt = 0
  let endsAt = Number.NEGATIVE_INFINITY
  let wokenAt = Number.NEGATIVE_INFINITY
  const isOn = () => now() < endsAt && now() - begunAt < LONGEST_MS
  return {
    isOn,
    /** There is one mail more. @returns whether to look for it now */
    note(): boolean {
      const time = now()
      if (time - window.from > WITHIN_MS) window = { from: time, calls: 0 }
      window.calls += 1
      if (window.calls > CALLS) {
        if (time >= endsAt) begunAt = time
        endsAt = time + WITHIN_MS
      }
      if (isOn() && time - wokenAt < WAKE_MS) return false
      wokenAt = time
      return true
    },
  }
}

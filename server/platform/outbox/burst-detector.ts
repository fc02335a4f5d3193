const WITHIN_MS = 1_000
/** Number of new e-mails within `WITHIN_MS` above which they are treated as a burst. */
const CALLS = 50
const LONGEST_MS = 15_000
/**
 * Minimum time in ms between the starts of two bursts. Otherwise, the e-mails of a busy portal would be delayed again
 * after each short pause in its traffic.
 */
const BETWEEN_MS = 60_000
const WAKE_MS = 250

/**
 * Creates a detector for bursts of e-mails that many concurrent bookings cause. During a burst, e-mails that are not
 * urgent can be delayed. A burst is reported for at most 15 s and at most once a minute.
 */
export function createBurstDetector(now: () => number = () => performance.now()) {
  let window = { from: Number.NEGATIVE_INFINITY, calls: 0 }
  let begunAt = Number.NEGATIVE_INFINITY
  let endsAt = Number.NEGATIVE_INFINITY
  let wokenAt = Number.NEGATIVE_INFINITY
  const isOn = () => now() < endsAt && now() - begunAt < LONGEST_MS
  return {
    isOn,
    /** Counts a new e-mail. @returns whether the outbox should be polled now */
    note(): boolean {
      const time = now()
      if (time - window.from > WITHIN_MS) window = { from: time, calls: 0 }
      window.calls += 1
      if (window.calls > CALLS) {
        if (time >= endsAt && time - begunAt >= BETWEEN_MS) begunAt = time
        endsAt = time + WITHIN_MS
      }
      if (time < endsAt && time - wokenAt < WAKE_MS) return false
      wokenAt = time
      return true
    },
  }
}

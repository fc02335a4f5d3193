import { readSetting, writeSetting } from './settings.ts'

/** Raw device clock in ms since 1970. It may be wrong by days, so use it only to measure durations. */
export const deviceNow = (): number => Date.now()

const KEY = 'ClockOffset'

/**
 * Reads the clock offset that was measured last, possibly by an earlier page, in case the app starts without a network.
 */
function recall(): number | null {
  const stored = readSetting(KEY)
  return stored === null || !Number.isFinite(Number(stored)) ? null : Number(stored)
}

/**
 * One reading of the server's clock: the Date header (whole seconds, in ms since 1970), and the device times of the
 * request and the response.
 */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/** Round trips longer than this are too slow to assume a symmetric delay. */
const PROMPT_MS = 200

/**
 * Updates the offset "server clock minus device clock" in ms with one more sample. The Date header has whole seconds,
 * so each sample is a lower bound, and the largest one is the most precise. Half the round-trip time is taken as the
 * delay of the request, or all of it for a slow response, so that a countdown never ends early. If a sample is far
 * below the others, the device clock must have been changed.
 */
export function nextOffset(measured: number | null, { serverMs, sentAt, receivedAt }: ClockSample): number {
  const roundTrip = receivedAt - sentAt
  const least = serverMs - (roundTrip > PROMPT_MS ? receivedAt : sentAt + roundTrip / 2)
  return measured === null || measured > least + 1000 + roundTrip ? least : Math.max(measured, least)
}

/** Creates the clock of a page. It starts with the offset stored by an earlier page. */
export function createClock() {
  let offsetMs = recall()
  /**
   * latest response received by this page: the time of its Date header, and its time of arrival by the page's monotonic
   * clock, both in ms
   */
  let verified: { serverMs: number; arrivedAt: number } | null = null
  const listeners = new Set<() => void>()
  const clockOffsetMs = () => offsetMs ?? 0
  return {
    clockOffsetMs,
    serverNow: () => deviceNow() + clockOffsetMs(),
    verifiedServerNow: () => verified && verified.serverMs + performance.now() - verified.arrivedAt,
    onClockCorrected(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    addClockSample(header: string | null, sentAt: number, receivedAt: number): void {
      const serverMs = header === null ? Number.NaN : Date.parse(header)
      if (Number.isNaN(serverMs)) return
      const isFirst = verified === null
      verified = { serverMs, arrivedAt: performance.now() }
      // A cached or very slow response is not a usable sample.
      const isUsable = receivedAt >= sentAt && receivedAt - sentAt <= 5_000
      const next = isUsable ? Math.round(nextOffset(offsetMs, { serverMs, sentAt, receivedAt })) : offsetMs
      if (next === offsetMs && !isFirst) return
      offsetMs = next
      if (next !== null) writeSetting(KEY, String(next))
      for (const listener of listeners) listener()
    },
  }
}

const clock = createClock()

/** Measured server time minus device time, in ms; 0 before the first response. */
export const clockOffsetMs: () => number = clock.clockOffsetMs

/** The current server time as estimated by this device, in ms since 1970. This is the app's only source of time. */
export const serverNow: () => number = clock.serverNow

/**
 * Lower bound of the server time in ms since 1970: the Date of this page's latest response plus the monotonic time
 * since then. It does not depend on the device clock, but lags behind after the device has slept. Null before the first
 * response.
 */
export const verifiedServerNow: () => number | null = clock.verifiedServerNow

/**
 * Subscribes to corrections of the clock and to its first verification on this page. Returns the unsubscribe function.
 */
export const onClockCorrected: typeof clock.onClockCorrected = clock.onClockCorrected

/**
 * Adds a sample from a response's `Date` header.
 * @param sentAt device time in ms
 * @param receivedAt device time in ms
 */
export const addClockSample: typeof clock.addClockSample = clock.addClockSample

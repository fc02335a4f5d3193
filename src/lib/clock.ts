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
 * One reading of the server's clock in ms since 1970, and the device times of the request and the response.
 */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/** Bounds in ms of the offset "server clock minus device clock". */
type OffsetRange = { min: number; max: number }

/**
 * Narrows the range of the offset with one more sample. The server read its clock between request and response, so that
 * the range of a sample is as wide as its round trip. If the ranges have nothing in common, the device clock was
 * changed, and only the latest sample counts.
 */
export function nextOffsetRange(
  measured: OffsetRange | null,
  { serverMs, sentAt, receivedAt }: ClockSample,
): OffsetRange {
  const sample = { min: serverMs - receivedAt, max: serverMs - sentAt }
  if (measured === null || sample.min > measured.max || sample.max < measured.min) return sample
  return { min: Math.max(measured.min, sample.min), max: Math.min(measured.max, sample.max) }
}

/** Estimated offset in ms: the middle of its range, wrong by at most half the shortest round trip. */
export const offsetIn = ({ min, max }: OffsetRange): number => Math.round((min + max) / 2)

/** Creates the clock of a page. It starts with the offset stored by an earlier page. */
export function createClock() {
  let offsetMs = recall()
  let measured: OffsetRange | null = null
  /**
   * latest response received by this page: the time of its Server-Time header, and its time of arrival by the page's
   * monotonic clock, both in ms
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
      if (!header || !/^\d+$/.test(header)) return
      const serverMs = Number(header)
      const isFirst = verified === null
      verified = { serverMs, arrivedAt: performance.now() }
      // The device may have slept during a very slow response, or its clock was set.
      const isUsable = receivedAt >= sentAt && receivedAt - sentAt <= 5_000
      if (isUsable) measured = nextOffsetRange(measured, { serverMs, sentAt, receivedAt })
      const next = measured === null ? offsetMs : offsetIn(measured)
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
 * Lower bound of the server time in ms since 1970: that of this page's latest response plus the monotonic time since
 * then. It does not depend on the device clock, but lags behind after the device has slept. Null before the first
 * response.
 */
export const verifiedServerNow: () => number | null = clock.verifiedServerNow

/**
 * Subscribes to corrections of the clock and to its first verification on this page. Returns the unsubscribe function.
 */
export const onClockCorrected: typeof clock.onClockCorrected = clock.onClockCorrected

/**
 * Adds a sample from a response's `Server-Time` header.
 * @param sentAt device time in ms
 * @param receivedAt device time in ms
 */
export const addClockSample: typeof clock.addClockSample = clock.addClockSample

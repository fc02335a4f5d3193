import { readSetting, writeSetting } from './settings.ts'

/** This device's own clock, ms since 1970. It may be wrong by days: it measures how long something takes, and nothing else. */
export const deviceNow = (): number => Date.now()

const KEY = 'ClockOffset'

/** The offset measured last, also by an earlier page: a start without a network has none of its own. */
function recall(): number | null {
  const stored = readSetting(KEY)
  return stored === null || !Number.isFinite(Number(stored)) ? null : Number(stored)
}

/** One reading of the server's clock: what it showed (whole seconds, as ms since 1970), and when it was asked by ours. */
export type ClockSample = { serverMs: number; sentAt: number; receivedAt: number }

/** Of a slower answer nobody knows which half of the way took the time. */
const PROMPT_MS = 200

/**
 * The server's clock minus ours, in ms, from one more sample. The server shows whole seconds, so a sample says only the least
 * it can be: the largest of these comes closest. Half the round trip is taken for the way back; of a slow answer all of it, so
 * that a countdown is not early. A sample far below the others means that our clock was set.
 */
export function nextOffset(measured: number | null, { serverMs, sentAt, receivedAt }: ClockSample): number {
  const roundTrip = receivedAt - sentAt
  const least = serverMs - (roundTrip > PROMPT_MS ? receivedAt : sentAt + roundTrip / 2)
  return measured === null || measured > least + 1000 + roundTrip ? least : Math.max(measured, least)
}

/** The clock of one page, which goes on with what an earlier page measured. */
export function createClock() {
  let offsetMs = recall()
  const listeners = new Set<() => void>()
  const clockOffsetMs = () => offsetMs ?? 0
  return {
    clockOffsetMs,
    serverNow: () => deviceNow() + clockOffsetMs(),
    onClockCorrected(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteServerDate(header: string | null, sentAt: number, receivedAt: number): void {
      const serverMs = header === null ? Number.NaN : Date.parse(header)
      // An answer out of a cache, or one that took long, says little about now.
      if (Number.isNaN(serverMs) || receivedAt < sentAt || receivedAt - sentAt > 5_000) return
      const next = Math.round(nextOffset(offsetMs, { serverMs, sentAt, receivedAt }))
      if (next === offsetMs) return
      offsetMs = next
      writeSetting(KEY, String(offsetMs))
      for (const listener of listeners) listener()
    },
  }
}

const clock = createClock()

/** Server time minus device time in ms, as measured so far; 0 before the first answer. */
export const clockOffsetMs: () => number = clock.clockOffsetMs

/** The portal's time, ms since 1970, as well as this device knows it: the one clock of the app. */
export const serverNow: () => number = clock.serverNow

/** Tells when the clock was corrected. Returns the way to stop listening. */
export const onClockCorrected: typeof clock.onClockCorrected = clock.onClockCorrected

/** Learns of this device's clock from an answer's `Date`. @param sentAt @param receivedAt device time in ms */
export const noteServerDate: typeof clock.noteServerDate = clock.noteServerDate

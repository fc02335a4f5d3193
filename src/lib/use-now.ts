import { useSyncExternalStore } from 'react'
import { clockOffsetMs, onClockCorrected, serverNow } from './clock.ts'
import { dateTimeAt, todayOf, wallClockAt } from './portal-time.ts'

const EVERY_MS = 15_000
const MINUTE_MS = 60_000

const listeners = new Set<() => void>()
let stop = () => {}

/** One timer for all who show a time, as long as anybody does. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    const tell = () => {
      for (const each of listeners) each()
    }
    const timer = setInterval(tell, EVERY_MS)
    const stopListening = onClockCorrected(tell)
    stop = () => {
      clearInterval(timer)
      stopListening()
    }
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stop()
  }
}

/** The same on the server, which makes first views. */
const useReading = (read: () => number): number => useSyncExternalStore(subscribe, read, read)

/** Midnight of today on the portal's wall clock: a page left open over night follows, and so does one whose clock was wrong. */
export const useToday = (): number => useReading(() => todayOf(serverNow()))

export const useThisYear = (): number => useReading(() => dateTimeAt(serverNow()).year)

/** The portal's wall clock as `wallClockMs` counts it, to the minute. */
export const useWallClock = (): number => useReading(() => Math.floor(wallClockAt(serverNow()) / MINUTE_MS) * MINUTE_MS)

/** By how much the portal's clock is ahead of this device's, in ms. */
export const useClockOffset = (): number => useReading(clockOffsetMs)

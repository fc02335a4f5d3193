import { useEffect, useState, useSyncExternalStore } from 'react'
import { clockOffsetMs, onClockCorrected, serverNow } from './clock.ts'
import { localTimeMsAt, portalDateTimeAt, startOfDayAt } from './format.ts'

const EVERY_MS = 15_000
const MINUTE_MS = 60_000

const listeners = new Set<() => void>()
let stop = () => {}

/** Shared interval for all clock subscribers. It is stopped when the last one unsubscribes. */
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

/** Server-side rendering uses the same snapshot. */
const useReading = (read: () => number): number => useSyncExternalStore(subscribe, read, read)

/**
 * Start of the current day in the portal's time zone, in the unit of `toLocalTimeMs`. Updates at midnight and after clock
 * corrections.
 */
export const useToday = (): number => useReading(() => startOfDayAt(serverNow()))

export const useThisYear = (): number => useReading(() => portalDateTimeAt(serverNow()).year)

/** Current local time in the portal's time zone, in the unit of `toLocalTimeMs` and rounded down to the minute. */
export const useLocalTimeMs = (): number =>
  useReading(() => Math.floor(localTimeMsAt(serverNow()) / MINUTE_MS) * MINUTE_MS)

/** Server time minus device time, in ms. */
export const useClockOffset = (): number => useReading(clockOffsetMs)

/** Whether less than `ms` milliseconds have elapsed since the component was mounted. */
export function useIsTimeoutPending(ms: number): boolean {
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isPatient
}

/** Whole seconds since the component was mounted. */
export function useElapsedSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const since = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}

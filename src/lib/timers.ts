/** Runs a callback after the next paint. On a hidden page, it runs once the page becomes visible again. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => setTimeout(act))
}

/** Like `setTimeout`. Returns a function that cancels the timer. */
export function startCancellableTimer(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

type Delay = { pauseMs: number; mostMs?: number }

/**
 * Debounces a callback: it runs when there has been no call for `pauseMs`, but no later than `mostMs` after the first
 * call.
 */
export function debounce(
  schedule: typeof startCancellableTimer,
  { pauseMs, mostMs }: Delay,
  act: () => void,
): () => void {
  let stopPause = () => {}
  let stopLatest: (() => void) | undefined
  const run = () => {
    stopPause()
    stopLatest?.()
    stopLatest = undefined
    act()
  }
  return () => {
    stopPause()
    stopPause = schedule(pauseMs, run)
    if (mostMs !== undefined) stopLatest ??= schedule(mostMs, run)
  }
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/**
 * Delay in ms before attempt `failures + 1`: exponential backoff with jitter, at most one minute.
 * @param random number between 0 and 1
 */
export const backoffMs = (failures: number, random: number): number =>
  Math.round(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS) * (0.5 + random / 2))

/** The platform's clock in ms, and a timer function that returns a cancel function. */
type Time = { now(): number; after(ms: number, act: () => void): () => void }

const BEAT_MS = 500
/** If an interval tick is delayed by more than this (ms), the device was suspended rather than just busy. */
const SLEPT_MS = 1_500

/**
 * Aborts and retries a request that was pending while the device slept, because it may never settle. Only for
 * idempotent requests.
 */
export async function retryAfterDeviceSleep<T>(
  { now, after }: Time,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController()
  let beatAt = now()
  let stop = () => {}
  const beat = () => {
    if (now() - beatAt > SLEPT_MS) return patience.abort()
    beatAt = now()
    stop = after(BEAT_MS, beat)
  }
  beat()
  try {
    return await ask(patience.signal)
  } catch (error) {
    if (patience.signal.aborted) return await retryAfterDeviceSleep({ now, after }, ask)
    throw error
  } finally {
    stop()
  }
}

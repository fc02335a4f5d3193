/** Platform clock in ms, and a timer that returns its cancel function. */
type Time = { now(): number; after(ms: number, act: () => void): () => void }

const BEAT_MS = 500
/** An interval tick delayed by more than this means that the device was suspended, not just busy. */
const SLEPT_MS = 1_500

/**
 * Aborts and retries a request that was pending while the device slept, as it may never settle. Only for idempotent
 * requests.
 */
export async function retryAfterSleep<T>({ now, after }: Time, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
    if (patience.signal.aborted) return await retryAfterSleep({ now, after }, ask)
    throw error
  } finally {
    stop()
  }
}

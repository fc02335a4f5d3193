/** The device's clock in ms, and calling back later, which returns the way to stop that. */
type Time = { now(): number; after(ms: number, act: () => void): () => void }

const BEAT_MS = 500
/** A beat that comes so late was not held up by work: the phone slept. */
const SLEPT_MS = 1_500

/**
 * What was under way when the phone fell asleep may never be answered, nor fail: it is given up when the phone wakes, and asked
 * again at once. Only for what may be asked twice.
 */
export async function askedAwake<T>({ now, after }: Time, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
    if (patience.signal.aborted) return await askedAwake({ now, after }, ask)
    throw error
  } finally {
    stop()
  }
}

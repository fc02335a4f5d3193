import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after a delay, or as soon as `stopping` is aborted. This is not an error; the caller checks the signal. */
export const pauseUnlessStopping = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => undefined)

/**
 * Starts a background task that runs until `stop` is called. `stop` waits for the task to end, but for at most
 * `patienceMs` if this is set.
 */
export function startBackgroundTask(
  work: (stopping: AbortSignal) => Promise<unknown>,
  patienceMs?: number,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ended = work(stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await (patienceMs === undefined ? ended : Promise.race([ended, sleep(patienceMs)]))
    },
  }
}

/** Runs a function repeatedly with a pause after each run. The function must handle its own errors. */
export async function repeatUntilStopped(
  work: () => Promise<unknown>,
  restMs: number,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await work()
    await pauseUnlessStopping(restMs, stopping)
  }
}

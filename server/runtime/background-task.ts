import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves after a delay, or immediately when `stopping` aborts: aborting is not an error; the caller checks the
 * signal.
 */
export const pause = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => undefined)

/** Background task that runs until `stop`, which waits for the current run, at most `patienceMs` if given. */
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

/** Runs a function repeatedly with a delay in between; the function must handle its own errors. */
export async function repeat(work: () => Promise<unknown>, restMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await work()
    await pause(restMs, stopping)
  }
}

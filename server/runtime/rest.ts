import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after a time, or at once when `stopping` aborts: to be woken is no fault, and who rests asks the signal itself. */
export const rest = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => undefined)

/** Work that goes on by itself: does it until `stop`, which waits for what is under way, at most `patienceMs` where that is said. */
export function startWork(
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

/** Does something, which tells of its faults itself, again and again with a rest in between. */
export async function repeat(work: () => Promise<unknown>, restMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await work()
    await rest(restMs, stopping)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after a time, or at once when `stopping` aborts: to be woken is no fault, and who rests asks the signal itself. */
export const rest = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => undefined)

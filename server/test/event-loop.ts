import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** The longest time in ms for which the event loop of this thread was blocked during `work`. */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  // The first sample requires a timer that has fired.
  await sleep(20)
  delay.reset()
  await work()
  await sleep(20)
  delay.disable()
  return delay.max / 1e6
}

/**
 * Like measureLongestBlock, but the shortest of up to `tries` runs: a block of the code itself occurs in each run, one
 * caused by other processes of a busy machine does not.
 */
export async function measureOwnBlock(work: () => Promise<unknown>, maxMs: number, tries = 4): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < tries && shortest > maxMs; run += 1)
    shortest = Math.min(shortest, await measureLongestBlock(work))
  return shortest
}

import { Session } from 'node:inspector/promises'
import { performance } from 'node:perf_hooks'

const LOOK_EVERY_MS = 5_000
/** More is work that leaves something behind: half a second of five. */
const WORK = 0.1
/** Less, and nobody waits for the pause of clearing up. */
const QUIET = 0.05
/** Busier than this, people would wait for it: it is put off, though not for ever. */
const MOST_BUSY = 0.5
const LOOKS_WHEN_BUSY = 3
/** Worth the pause it takes. */
const WORTH_BYTES = 100 * 1024 * 1024
/** Where little is to be had, it is tried ever more seldom: at last every 20 minutes. */
const LITTLE_BYTES = WORTH_BYTES / 4
const MOST_LOOKS = 240

/** Clears up and gives free memory back, by the inspector in place of a flag: V8 by itself keeps three times as much after a rush. */
export async function releaseMemory(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/**
 * Gives memory back in the first quiet moment after work, as after the start, and during work that leaves much more than the least.
 * See docs/decisions/0025.
 */
export function startGcScheduler(lookEveryMs = LOOK_EVERY_MS): void {
  let least = 0
  /** since it was last cleared up in quiet, the start included */
  let hasWorked = true
  let before = performance.eventLoopUtilization()
  let looks = 0
  let pause = 1
  /** @returns what is left; its own pause is no work */
  const clearUp = async () => {
    await releaseMemory()
    before = performance.eventLoopUtilization()
    return process.memoryUsage.rss()
  }
  const looking = setInterval(async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (hasWorked && utilization < QUIET) {
      hasWorked = false
      least = await clearUp()
      looks = 0
      pause = 1
      return
    }
    hasWorked ||= utilization > WORK
    const bytes = process.memoryUsage.rss()
    looks = bytes - least < WORTH_BYTES ? 0 : looks + 1
    const isBusy = utilization > MOST_BUSY
    if (looks < pause || (isBusy && looks < LOOKS_WHEN_BUSY)) return
    looks = 0
    const left = await clearUp()
    // What is left in the middle of a rush is not what a quiet process needs.
    if (least > 0 || !isBusy) least = Math.min(least || left, left)
    pause = bytes - left < LITTLE_BYTES ? Math.min(pause * 2, MOST_LOOKS) : 1
  }, lookEveryMs)
  looking.unref()
}

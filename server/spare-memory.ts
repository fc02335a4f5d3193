import { Session } from 'node:inspector/promises'
import { performance } from 'node:perf_hooks'

const LOOK_MS = 5_000
/** Busier than this, people would wait for it. */
const MOST_BUSY = 0.5
/** Worth the pause it takes. */
const WORTH_BYTES = 100 * 1024 * 1024

/**
 * Clears up and gives what is free back to the system. By itself V8 keeps the most it ever needed: after a rush three times as
 * much as before it. What its inspector is asked for in place of a flag is public and needs no other way to start.
 */
export async function giveMemoryBack(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/**
 * Gives memory back in quiet moments, once a process has taken much more than it had when last seen to.
 * See docs/decisions/0085.
 */
export function spareMemory(): void {
  let least = process.memoryUsage.rss()
  let before = performance.eventLoopUtilization()
  const looking = setInterval(async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const bytes = process.memoryUsage.rss()
    if (bytes - least < WORTH_BYTES || utilization > MOST_BUSY) return
    await giveMemoryBack()
    least = process.memoryUsage.rss()
  }, LOOK_MS)
  looking.unref()
}

const CHECK_MS = 10_000
/** Share of a processor below which the process counts as idle. */
const IDLE_SHARE = 0.03
/** Growth of the heap in bytes since the last collection from which another one is worth its time. */
const MIN_GROWTH_BYTES = 16 * 1024 * 1024

/**
 * Returns memory to the system when the process has become idle. V8 collects garbage only while memory is allocated, and
 * would retain the heap of the busiest moment. Requires `--expose-gc` (see `own-node.mjs` beside it).
 */
export function releaseMemoryWhenIdle(checkMs = CHECK_MS): void {
  let heapBytes = 0
  let before = process.cpuUsage()
  const check = () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1_000 < checkMs * IDLE_SHARE
    if (!isIdle || process.memoryUsage().heapTotal < heapBytes + MIN_GROWTH_BYTES) return
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    heapBytes = process.memoryUsage().heapTotal
  }
  setInterval(check, checkMs).unref()
}

import { createRequire, syncBuiltinESMExports } from 'node:module'

/**
 * Preloaded by `node --import`: long promise timers expire by the wall clock. Node's timers use the monotonic clock, which the test
 * clock does not change: after a jump of a week an hourly job would still wait an hour.
 */
const timers: typeof import('node:timers/promises') = createRequire(import.meta.url)('node:timers/promises')
const { setTimeout: sleep } = timers

/** Shorter timers are retry delays, not schedules. */
const SCHEDULE_MS = 10_000
const POLL_MS = 20

const pending = new Set<{ dueAt: number; wake: () => void }>()

setInterval(() => {
  const now = Date.now()
  for (const { dueAt, wake } of pending) if (dueAt <= now) wake()
}, POLL_MS).unref()

timers.setTimeout = async (ms = 1, value, options = {}) => {
  if (ms < SCHEDULE_MS) return sleep(ms, value, options)
  const woken = new AbortController()
  const wait = { dueAt: Date.now() + ms, wake: () => woken.abort() }
  pending.add(wait)
  try {
    const signal = options.signal ? AbortSignal.any([options.signal, woken.signal]) : woken.signal
    return await sleep(ms, value, { ...options, signal })
  } catch (error) {
    if (!woken.signal.aborted) throw error
    return value as never
  } finally {
    pending.delete(wait)
  }
}
syncBuiltinESMExports()

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { monotonicClockMs } from './clock.ts'

const HOUR_MS = 3_600_000

/** Reads the clock in a process that starts after the system clock was set by `stepMs`. */
async function readClockAfterStep(stepMs: number): Promise<number> {
  const step = `
    const { timeOrigin } = performance
    Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin + ${stepMs} })
    const now = Date.now
    Date.now = () => now() + ${stepMs}`
  const program = `import('${join(import.meta.dirname, 'clock.ts')}').then(({ monotonicClockMs }) => console.log(monotonicClockMs()))`
  const preload = `data:text/javascript,${encodeURIComponent(step)}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', preload, '-e', program])
  return Number(stdout)
}

test.each([-HOUR_MS, HOUR_MS])(
  'a process that starts after the system clock was set by %d ms reads the same monotonic time',
  async stepMs => {
    const before = monotonicClockMs()
    const other = await readClockAfterStep(stepMs)
    expect(other).toBeGreaterThanOrEqual(before)
    expect(other).toBeLessThanOrEqual(monotonicClockMs())
  },
)

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withStallTolerantTimeout } from './stall-tolerant-timeout.ts'

const LIMIT_MS = 600
const STALL_MS = 100

const stall = () => {
  for (const until = performance.now() + STALL_MS; performance.now() < until; );
}

test('a response that takes twenty event loop iterations arrives even if each follows a stall', async () => {
  const work = async () => {
    for (let step = 0; step < 20; step += 1) {
      stall()
      await turn()
    }
    return 'connected'
  }
  expect(await withStallTolerantTimeout(work(), LIMIT_MS, () => new Error('silent'))).toBe('connected')
})

test('rejects after the limit if there is no response', async () => {
  const silence = new Promise<never>(() => undefined)
  const start = performance.now()
  await expect(withStallTolerantTimeout(silence, LIMIT_MS, () => new Error('silent'))).rejects.toThrow('silent')
  expect(performance.now() - start).toBeGreaterThan(LIMIT_MS * 0.9)
})

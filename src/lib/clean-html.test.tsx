import { afterEach, expect, test, vi } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const network = vi.hoisted(() => ({ isThere: false }))
vi.mock('dompurify', async original => {
  if (!network.isThere) throw new TypeError('Failed to fetch dynamically imported module')
  return await original()
})

afterEach(() => vi.useRealTimers())

test('loading the sanitizer is retried after a failure', async () => {
  vi.useFakeTimers()
  const cleaned = cleanHtml('<p>Matte</p>')
  await vi.advanceTimersByTimeAsync(1_000)
  network.isThere = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(String(await cleaned)).toContain('Matte')
})

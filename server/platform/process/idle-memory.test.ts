import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from './idle-memory.ts'

const heapMegabytes = () => process.memoryUsage().heapTotal / 1_000_000

test('an idle process returns the memory that it needed while it was busy', async () => {
  setFlagsFromString('--expose-gc')
  globalThis.gc = runInNewContext('gc') as typeof globalThis.gc
  let rows: object[] | null = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: `row ${id}` }))
  expect(rows).toHaveLength(1_000_000)
  const busy = heapMegabytes()
  rows = null
  releaseMemoryWhenIdle(500)
  await expect.poll(() => busy - heapMegabytes()).toBeGreaterThan(50)
})

import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { ChildJob } from '#server/test/thread-child.ts'
import { createThread } from './thread.ts'

const work = createThread<ChildJob, number>(() => new Worker(new URL('../test/thread-child.ts', import.meta.url)))

test('a thread is kept, passes a fault on, and is started anew by the job after its end', async () => {
  expect(await Promise.all([work({ kind: 'count' }), work({ kind: 'count' })])).toEqual([1, 2])
  await expect(work({ kind: 'fail' })).rejects.toThrow('no such file')
  expect(await work({ kind: 'count' })).toBe(3)
  await expect(work({ kind: 'end' })).rejects.toThrow('ended')
  await expect.poll(() => work({ kind: 'count' }).catch(() => null)).toBe(1)
})

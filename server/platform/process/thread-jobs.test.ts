import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { ChildJob } from '#server/test/thread-child.ts'
import { createWorkerThreadRunner, JobAborted } from './thread-jobs.ts'

const work = createWorkerThreadRunner<ChildJob, number>(
  () => new Worker(new URL('../../test/thread-child.ts', import.meta.url)),
)

test('a thread is reused, reports errors, and is restarted after it has ended', async () => {
  expect(await Promise.all([work({ kind: 'count' }), work({ kind: 'count' })])).toEqual([1, 2])
  await expect(work({ kind: 'fail' })).rejects.toMatchObject({ message: 'no such file', code: 'ENOENT' })
  expect(await work({ kind: 'count' })).toBe(3)
  await expect(work({ kind: 'end' })).rejects.toThrow('ended')
  await expect.poll(() => work({ kind: 'count' }).catch(() => null)).toBe(1)
})

test('a thread without jobs ends, and the next job has a new one', async () => {
  const resting = createWorkerThreadRunner<ChildJob, number>(
    () => new Worker(new URL('../../test/thread-child.ts', import.meta.url)),
    { idleMs: 50 },
  )
  expect(await Promise.all([resting({ kind: 'count' }), resting({ kind: 'count' })])).toEqual([1, 2])
  await expect
    .poll(async () => {
      await sleep(200)
      return resting({ kind: 'count' })
    })
    .toBe(1)
})

test('a job that exceeds its time or memory is aborted, and the next one has a new thread', async () => {
  const limited = createWorkerThreadRunner<ChildJob, number>(
    () =>
      new Worker(new URL('../../test/thread-child.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: 32 },
      }),
    { timeoutMs: 2_000 },
  )
  // On a busy machine, a thread may take longer to start than a job may take.
  const expectNewThread = () => expect.poll(() => limited({ kind: 'count' }).catch(() => null)).toBe(1)
  await expectNewThread()
  await expect(limited({ kind: 'loop' })).rejects.toThrow(JobAborted)
  await expectNewThread()
  await expect(limited({ kind: 'allocate' })).rejects.toThrow(JobAborted)
  await expectNewThread()
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const options = { atOnce: 1, perLane: 100, inAll: 200, patienceMs: 5_000 }

/** Creates a queue that runs one job at a time, and records the order. */
function createWork() {
  const order: string[] = []
  const ends: (() => void)[] = []
  return {
    order,
    work: (name: string) => () => {
      order.push(name)
      return new Promise<void>(resolve => ends.push(resolve))
    },
    async finishAll() {
      while (ends.length > 0) {
        ends.shift()?.()
        await sleep(0)
      }
    },
  }
}

test('a single task waits for at most one task of each other key', async () => {
  const turns = createFairQueue(options)
  const { order, work, finishAll } = createWork()
  const flood = Array.from({ length: 50 }, () => turns.run({ name: 'flood' }, work('flood')))
  const late = turns.run({ name: 'late' }, work('late'))
  await finishAll()
  await Promise.all([...flood, late])
  expect(order.indexOf('late')).toBeLessThanOrEqual(2)
  expect(order).toHaveLength(51)
})

test('verified callers take precedence without starving others', async () => {
  const turns = createFairQueue(options)
  const { order, work, finishAll } = createWork()
  const all = [
    ...Array.from({ length: 5 }, (_, index) => turns.run({ name: `stranger${index}` }, work('stranger'))),
    ...Array.from({ length: 8 }, (_, index) => turns.run({ name: `known${index}`, isKnown: true }, work('known'))),
  ]
  await finishAll()
  await Promise.all(all)
  expect(order.slice(1, 5)).toEqual(['known', 'known', 'known', 'stranger'])
  expect(order.filter(name => name === 'stranger')).toHaveLength(5)
})

test('queue length is bounded per key and in total', async () => {
  const turns = createFairQueue({ ...options, perLane: 2, inAll: 3 })
  const { work, finishAll } = createWork()
  const kept = ['a', 'a', 'a'].map(name => turns.run({ name }, work(name)))
  await expect(turns.run({ name: 'a' }, work('a'))).rejects.toMatchObject({ status: 429 })
  kept.push(turns.run({ name: 'b' }, work('b')))
  await expect(turns.run({ name: 'c' }, work('c'))).rejects.toMatchObject({ status: 503, values: { seconds: 5 } })
  await finishAll()
  await Promise.all(kept)
})

test('waiting times out without leaving state', async () => {
  const turns = createFairQueue({ ...options, patienceMs: 20 })
  const { order, work, finishAll } = createWork()
  const first = turns.run({ name: 'a' }, work('first'))
  await expect(turns.run({ name: 'b' }, work('late'))).rejects.toMatchObject({ status: 503 })
  await finishAll()
  await first
  const next = turns.run({ name: 'b' }, work('next'))
  await finishAll()
  await next
  expect(order).toEqual(['first', 'next'])
})

test('a timeout caused by the own limit is reported as too many requests', async () => {
  const turns = createFairQueue({ ...options, atOnce: 4, atOncePerLane: 1, patienceMs: 20 })
  const { work, finishAll } = createWork()
  const first = turns.run({ name: 'a' }, work('a'))
  await expect(turns.run({ name: 'a' }, work('a'))).rejects.toMatchObject({ status: 429, values: { seconds: 5 } })
  await finishAll()
  await first
})

test('concurrency is bounded per key', async () => {
  const turns = createFairQueue({ ...options, atOnce: 4, atOncePerLane: 2 })
  const { order, work, finishAll } = createWork()
  const all = ['a', 'a', 'a', 'a', 'b'].map(name => turns.run({ name }, work(name)))
  await sleep(0)
  expect(order).toEqual(['a', 'a', 'b'])
  await finishAll()
  await Promise.all(all)
})

test('a failed task frees its slot', async () => {
  const turns = createFairQueue(options)
  await expect(turns.run({ name: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turns.run({ name: 'a' }, async () => 'yes')).toBe('yes')
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyedSemaphores, createSemaphore } from './semaphore.ts'
import { isUnavailable } from './unavailable.ts'

const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => (isUnavailable(error) ? 'unavailable' : error.code),
  )

test('admits as many callers as there are slots, the others in order', async () => {
  const gate = createSemaphore({ slots: 2, maxWaiting: 100, patienceMs: 1_000 })
  const order: number[] = []
  let inside = 0
  const work = (number: number) => async () => {
    inside += 1
    expect(inside).toBeLessThanOrEqual(2)
    await sleep(1)
    order.push(number)
    inside -= 1
    if (number % 3 === 0) throw new Error('as work may')
  }
  const numbers = Array.from({ length: 20 }, (_, number) => number)
  const outcomes = await Promise.allSettled(numbers.map(number => gate.run(work(number))))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(7)
  expect(order).toEqual(numbers)
})

test('rejects callers if the queue is full, the wait is too long, or they cannot be served', async () => {
  const gate = createSemaphore({ slots: 1, maxWaiting: 2, patienceMs: 50 })
  const release = Promise.withResolvers<void>()
  const inside = gate.run(() => release.promise)
  const [first, second, third] = [1, 2, 3].map(() => outcomeOf(gate.run(async () => {})))
  expect(await third).toBe('unavailable')
  expect(await Promise.all([first, second])).toEqual(['unavailable', 'unavailable'])
  const refused = outcomeOf(gate.run(async () => {}))
  gate.refuseWaiting(lockTimeout())
  expect(await refused).toBe('unavailable')
  release.resolve()
  await inside
  expect(await outcomeOf(gate.run(async () => {}))).toBe('done')
})

test('a locked course rejects its queue immediately, retries one caller at a time, and recovers; others are not affected', async () => {
  const lanes = createKeyedSemaphores({ slots: 2, maxWaiting: 100, patienceMs: 5_000 })
  let isLocked = true
  const attempt = async () => {
    await sleep(20)
    if (isLocked) throw lockTimeout()
  }
  const startedAt = performance.now()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(lanes.run(1, attempt))))
  expect(new Set(outcomes)).toEqual(new Set(['unavailable']))
  expect(performance.now() - startedAt).toBeLessThan(4_500)
  let tries = 0
  const count = () => {
    tries += 1
    return attempt()
  }
  await Promise.all(Array.from({ length: 10 }, () => outcomeOf(lanes.run(1, count))))
  expect(tries).toBe(1)
  expect(await outcomeOf(lanes.run(2, async () => {}))).toBe('done')
  isLocked = false
  expect(await outcomeOf(lanes.run(1, attempt))).toBe('done')
  const all = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(lanes.run(1, attempt))))
  expect(all).toEqual(Array(10).fill('done'))
})

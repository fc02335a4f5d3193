import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesceCalls } from './coalesce-calls.ts'

test('callers share a run that started after their call', async () => {
  let runs = 0
  const ask = coalesceCalls(async () => {
    runs += 1
    const run = runs
    await sleep(10)
    return run
  })
  const first = ask()
  expect(await Promise.all([first, ask()])).toEqual([1, 1])
  const second = ask()
  await sleep(2)
  const third = [ask(), ask(), ask()]
  expect(await second).toBe(2)
  expect(await Promise.all(third)).toEqual([3, 3, 3])
})

test('a failed run does not affect the next one', async () => {
  let isBroken = true
  const ask = coalesceCalls(async () => {
    if (isBroken) throw new Error('database away')
    return 'fine'
  })
  await expect(ask()).rejects.toThrow('database away')
  isBroken = false
  expect(await ask()).toBe('fine')
})

import { expect, test } from 'vitest'
import { createBurstDetector } from './burst-detector.ts'

test('many new e-mails are treated as a burst until they become few, for at most 15 s', () => {
  let ms = 0
  const rush = createBurstDetector(() => ms)
  const noteFor = (seconds: number, eachMs: number) => {
    const woken: boolean[] = []
    for (const end = ms + seconds * 1000; ms < end; ms += eachMs) woken.push(rush.note())
    return woken.filter(Boolean).length
  }
  expect(noteFor(1, 100)).toBe(10)
  expect(rush.isOn()).toBe(false)

  const woken = noteFor(3, 2)
  expect(rush.isOn()).toBe(true)
  expect(woken).toBeLessThan(70)
  ms += 1_000
  expect(rush.isOn()).toBe(false)

  noteFor(16, 2)
  expect(rush.isOn()).toBe(false)
})

test('pauses of a busy portal do not delay the e-mails again within a minute', () => {
  let ms = 100_000
  const rush = createBurstDetector(() => ms)
  let heldMs = 0
  for (const end = ms + 60_000; ms < end; ) {
    for (let note = 0; note < 2_000; note += 1) {
      rush.note()
      ms += 2
      if (rush.isOn()) heldMs += 2
    }
    // The event loop is blocked.
    ms += 1_100
  }
  expect(heldMs).toBeLessThanOrEqual(15_000)
  // The next burst, long afterwards.
  ms += 60_000
  for (let note = 0; note < 200; note += 1) rush.note()
  expect(rush.isOn()).toBe(true)
})

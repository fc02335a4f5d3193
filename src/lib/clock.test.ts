// @vitest-environment happy-dom
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { createClock, nextOffsetRange, offsetIn } from './clock.ts'

const serverMs = Date.UTC(2026, 10, 21, 12)
const SERVER = String(serverMs)

beforeEach(() => localStorage.clear())

test('a device whose clock is ten minutes slow measures the offset and restores it when started offline', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs - 600_100, serverMs - 599_900)
  expect(clock.clockOffsetMs()).toBe(600_000)
  expect(createClock().clockOffsetMs()).toBe(600_000)
})

test('the shortest round trip determines the precision', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs - 800, serverMs)
  expect(clock.clockOffsetMs()).toBe(400)
  clock.addClockSample(SERVER, serverMs - 20, serverMs + 20)
  expect(clock.clockOffsetMs()).toBe(10)
  clock.addClockSample(SERVER, serverMs - 30, serverMs + 900)
  expect(clock.clockOffsetMs()).toBe(10)
})

test('a slow response, a missing or invalid Server-Time header and a clock set back during the call are ignored', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 590_000)
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 700_000)
  clock.addClockSample(null, 0, 1)
  clock.addClockSample('Sat, 21 Nov 2026 12:00:00 GMT', 0, 1)
  expect(clock.clockOffsetMs()).toBe(0)
})

test('the error is at most half the shortest round trip, and no change after a response is dated before it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.array(fc.record({ at: fc.nat(60_000), there: fc.nat(800), back: fc.nat(800) }), { minLength: 1 }),
      (trueOffset, samples) => {
        let measured: ReturnType<typeof nextOffsetRange> | null = null
        let device = Date.UTC(2026, 10, 21)
        let shortest = Number.POSITIVE_INFINITY
        for (const { at, there, back } of samples) {
          const sentAt = device + at
          const serverMs = sentAt + there + trueOffset
          device = sentAt + there + back
          measured = nextOffsetRange(measured, { serverMs, sentAt, receivedAt: device })
          shortest = Math.min(shortest, there + back)
          const offset = offsetIn(measured)
          if (Math.abs(offset - trueOffset) > Math.ceil(shortest / 2) || device + offset < serverMs) return false
        }
        return true
      },
    ),
  )
})

test('changing the device clock restarts the measurement', () => {
  const sample = (serverMs: number, at: number) => ({ serverMs, sentAt: at, receivedAt: at })
  const measured = nextOffsetRange(null, sample(10_000, 4_000))
  expect(offsetIn(measured)).toBe(6_000)
  expect(offsetIn(nextOffsetRange(measured, sample(20_000, 20_100)))).toBe(-100)
})

test('the verified server time exists from the first response on, and ignores changes of the device clock', () => {
  let monotonic = 5_000
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic)
  createClock().addClockSample(SERVER, serverMs, serverMs)
  const clock = createClock()
  expect(clock.verifiedServerNow()).toBeNull()
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 590_000)
  expect(clock.verifiedServerNow()).toBe(serverMs)
  vi.setSystemTime(serverMs + 400 * 86_400_000)
  monotonic += 1_000
  expect(clock.verifiedServerNow()).toBe(serverMs + 1_000)
  clock.addClockSample(String(serverMs + 1_800_000), 0, 0)
  expect(clock.verifiedServerNow()).toBe(serverMs + 1_800_000)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('the first response of a page notifies subscribers even if it confirms the stored offset', () => {
  createClock().addClockSample(SERVER, serverMs - 600_000, serverMs - 600_000)
  const clock = createClock()
  const onCorrected = vi.fn()
  clock.onClockCorrected(onCorrected)
  for (const _ of [1, 2]) clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 600_000)
  expect(onCorrected).toHaveBeenCalledTimes(1)
})

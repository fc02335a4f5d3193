// @vitest-environment happy-dom
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { createClock, nextOffset } from './clock.ts'

const SERVER = 'Sat, 21 Nov 2026 12:00:00 GMT'
const serverMs = Date.parse(SERVER)

beforeEach(() => localStorage.clear())

test('a device whose clock is ten minutes slow measures the offset and restores it when started offline', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 599_800)
  expect(clock.clockOffsetMs()).toBeGreaterThan(599_000)
  expect(createClock().clockOffsetMs()).toBe(clock.clockOffsetMs())
})

test('for a correct device clock the offset is 0, within the one-second resolution of the Date header', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs + 900, serverMs + 1_000)
  expect(Math.abs(clock.clockOffsetMs())).toBeLessThan(1_000)
  clock.addClockSample(SERVER, serverMs, serverMs + 100)
  expect(Math.abs(clock.clockOffsetMs())).toBeLessThan(100)
})

test('a slow response, a missing or invalid Date header and a clock set back during the call are ignored', () => {
  const clock = createClock()
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 590_000)
  clock.addClockSample(SERVER, serverMs - 600_000, serverMs - 700_000)
  clock.addClockSample(null, 0, 1)
  clock.addClockSample('yesterday', 0, 1)
  expect(clock.clockOffsetMs()).toBe(0)
})

test('the measured clock lags the server’s by less than a second and leads it by at most half the round trip', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -86_400_000, max: 86_400_000 }),
      fc.array(fc.record({ at: fc.nat(60_000), there: fc.integer({ min: 1, max: 800 }), back: fc.nat(800) }), {
        minLength: 1,
      }),
      (trueOffset, samples) => {
        let measured: number | null = null
        let device = Date.UTC(2026, 10, 21)
        let longest = 0
        for (const { at, there, back } of samples) {
          device += at
          const serverMs = Math.floor((device + there + trueOffset) / 1000) * 1000
          measured = nextOffset(measured, { serverMs, sentAt: device, receivedAt: device + there + back })
          device += there + back
          longest = Math.max(longest, there + back)
        }
        return measured !== null && measured <= trueOffset + 100 && measured > trueOffset - 1000 - longest
      },
    ),
  )
})

test('changing the device clock restarts the measurement', () => {
  const sample = (serverMs: number, at: number) => ({ serverMs, sentAt: at, receivedAt: at })
  const measured = nextOffset(null, sample(10_000, 4_000))
  expect(measured).toBe(6_000)
  expect(nextOffset(measured, sample(20_000, 20_100))).toBe(-100)
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
  clock.addClockSample('Sat, 21 Nov 2026 12:30:00 GMT', 0, 0)
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

import { beforeEach, expect, test, vi } from 'vitest'

const load = async () => {
  vi.resetModules()
  return import('./clock.ts')
}
const SERVER = 'Sat, 21 Nov 2026 12:00:00 GMT'
const serverMs = Date.parse(SERVER)

beforeEach(() => localStorage.clear())

test('a device that is ten minutes slow knows it, also after a start without network', async () => {
  const clock = await load()
  clock.noteServerDate(SERVER, serverMs - 600_000, serverMs - 599_800)
  expect(clock.clockOffsetMs()).toBeGreaterThan(599_000)
  expect((await load()).clockOffsetMs()).toBe(clock.clockOffsetMs())
})

test('a difference below the precision of the header is none', async () => {
  const clock = await load()
  clock.noteServerDate(SERVER, serverMs + 900, serverMs + 1_000)
  expect(clock.clockOffsetMs()).toBe(0)
})

test('a slow answer, a missing or broken header, or a clock set back on the way tell nothing', async () => {
  const clock = await load()
  clock.noteServerDate(SERVER, serverMs - 600_000, serverMs - 590_000)
  clock.noteServerDate(SERVER, serverMs - 600_000, serverMs - 700_000)
  clock.noteServerDate(null, 0, 1)
  clock.noteServerDate('yesterday', 0, 1)
  expect(clock.clockOffsetMs()).toBe(0)
})

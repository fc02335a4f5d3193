// @module-tag extended
import { afterEach, expect, test } from 'vitest'
import { killOften } from './kills.ts'
import { stopPortals } from './portal.ts'

afterEach(stopPortals)

/** `npm run bench:kills` runs the same several hundred times. */
test('nothing acknowledged is lost or duplicated when portal and database are killed, frozen and out of space', {
  timeout: 400_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  console.log(`SEED=${seed}`)
  const { rounds, counts, silences, faults, findings, control } = await killOften({
    seed,
    rounds: 5,
    faults: ['recovery', 'charge', 'worker', 'frozen', 'full'],
    setup: 'embedded',
    processes: 2,
    minutes: 4,
    comparedEvery: 2,
    mailPatienceMs: 0,
  })
  expect(findings).toEqual([])
  expect([...faults, ...silences]).toEqual([])
  expect(counts).toMatchObject({ refused: 0, unnamed: 0, fault: 0, silent: 0 })
  expect(counts.ok).toBeGreaterThan(20)
  expect(counts.unavailable).toBeGreaterThan(0)
  expect(rounds.map(({ fault }) => fault).slice(0, 4)).toEqual(['recovery', 'charge', 'worker', 'frozen'])
  // Each row that was changed directly in the database is found, which proves that the comparison can fail.
  expect(control.filter(({ isSeen }) => !isSeen)).toEqual([])
})

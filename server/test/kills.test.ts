import { afterEach, expect, test } from 'vitest'
import { killOften } from './kills.ts'
import { stopPortals } from './portal.ts'

afterEach(stopPortals)

/** `npm run bench:kills` does the same a few hundred times. */
test('nothing acknowledged is lost or doubled when portal and database are killed, frozen, and out of space', {
  timeout: 120_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  console.log(`SEED=${seed}`)
  const { rounds, counts, findings, slowestRefusalMs, control } = await killOften({
    seed,
    rounds: 4,
    faults: ['recovery', 'portal', 'frozen', 'full'],
    isExternal: false,
    hasControl: true,
    minutes: 1,
    comparedEvery: 2,
    mailPatienceMs: 0,
  })
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ refused: 0, unnamed: 0, fault: 0 })
  expect(counts.ok).toBeGreaterThan(20)
  expect(counts.unavailable).toBeGreaterThan(0)
  expect(slowestRefusalMs).toBeGreaterThan(0)
  expect(rounds.map(({ fault }) => fault).slice(0, 3)).toEqual(['recovery', 'portal', 'frozen'])
  expect(rounds[0]?.start?.ms).toMatchObject({ load: expect.any(Number), database: expect.any(Number) })
  // Whoever changes a row behind the portal's back is found out: the comparison can fail.
  expect(control.filter(({ isSeen }) => !isSeen)).toEqual([])
})

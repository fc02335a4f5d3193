import { expect, test } from 'vitest'
import { ACTS, type ActKind } from '#contract/acts/acts.ts'
import { keysOf } from '#contract/records.ts'
import { playPair, ROLES, type Role } from '#server/test/life-event-checks.ts'
import { EVENT_NAMES, type EventName, openLifeWorld } from '#server/test/life-events.ts'
import { openTestServer } from '#server/test/server.ts'

/**
 * Every act is followed by events of the person who performed it and of a person whom it concerns; then every read is
 * called and every job runs. LIFE_EVENTS_SEED repeats a choice. LIFE_EVENTS, a regular expression of names (`.` for all),
 * runs every such pair, which takes up to an hour.
 */
const seed = Number(process.env.LIFE_EVENTS_SEED ?? Date.now() % 100_000)
const world = await openLifeWorld(await openTestServer())

type Pair = { kind: ActKind; role: Role; event: EventName }
const allPairs: Pair[] = keysOf(ACTS).flatMap(kind =>
  ROLES.flatMap(role => EVENT_NAMES.map(event => ({ kind, role, event }))),
)
const nameOf = ({ kind, role, event }: Pair) => `${kind}, ${role} ${event}`

async function expectNoFindings(pairs: Pair[]): Promise<void> {
  const begin = performance.now()
  const findings: string[] = []
  let happened = 0
  for (const pair of pairs) {
    const outcome = await playPair(world, pair, seed)
    if (outcome.hasHappened) happened += 1
    findings.push(...outcome.findings.map(finding => `${nameOf(pair)}: ${finding}`))
  }
  const seconds = Math.round((performance.now() - begin) / 1000)
  console.log(
    `life events: ${happened} of ${pairs.length} pairs, ${findings.length} findings, ${seconds} s, seed ${seed}`,
  )
  expect(findings, `LIFE_EVENTS_SEED=${seed}`).toEqual([])
}

const PER_ACT = ROLES.length * EVENT_NAMES.length
test('after an act and an event of a person, reads and jobs work and nobody has what the event ended', () => {
  // One event for every third act; successive seeds cover all pairs.
  const chosen = (index: number) => allPairs[index * PER_ACT + ((Math.floor(seed / 3) + index * 7) % PER_ACT)] ?? []
  return expectNoFindings(keysOf(ACTS).flatMap((_, index) => (index % 3 === seed % 3 ? chosen(index) : [])))
}, 300_000)

test.runIf(process.env.LIFE_EVENTS)('so it is after each act and every event', { timeout: 7_200_000 }, () =>
  expectNoFindings(allPairs.filter(pair => new RegExp(process.env.LIFE_EVENTS ?? '').test(nameOf(pair)))),
)

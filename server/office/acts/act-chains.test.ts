import { describe, expect, test } from 'vitest'
import { ACTS, type ActKind } from '#contract/acts/acts.ts'
import type { Right } from '#contract/values.ts'
import { disableDemoAccounts } from '#server/features/programme/demo-accounts.ts'
import { sql } from '#server/platform/db/client.ts'
import { COMBINATIONS, DEMO, openChainWorld, searchChains, withoutEffects } from '#server/test/act-chains.ts'
import { findUndeclaredEffects } from '#server/test/act-effects.ts'
import { openTestServer } from '#server/test/server.ts'

/**
 * The longest chain that the search must find below has two actions. CHAIN_DEPTH=4 searches deeper than three, also for
 * owners, who can grant themselves all rights, and takes some minutes.
 */
const MOST_DEPTH = Number(process.env.CHAIN_DEPTH ?? 3)
const MOST_OWNER_DEPTH = Number(process.env.CHAIN_DEPTH ?? 2)
const isOwner = (rights: readonly Right[]) => rights.includes('owner')

const world = await openChainWorld(await openTestServer(), db => disableDemoAccounts(db, { demoAccounts: 'closed' }))
/** A locked demo account that still has its password and rights. */
const lockedDemo = await openChainWorld(await openTestServer(), db =>
  db.execute(sql`update web_users set locked_at = clock_timestamp() where email = ${DEMO}`),
)

async function expectNoChains(depth: number, ownerDepth: number): Promise<void> {
  const begin = performance.now()
  const others = COMBINATIONS.filter(rights => !isOwner(rights))
  const found = [
    await searchChains({ world, depth }, others),
    await searchChains({ world, depth: ownerDepth }, COMBINATIONS.filter(isOwner)),
    await searchChains({ world, depth, isProgram: true }, [['programme'], ['bookings'], ['programme', 'bookings']]),
  ]
  const findings = found.flatMap(one => one.findings)
  const sum = (count: 'chains' | 'acts' | 'states') => found.reduce((total, one) => total + one[count], 0)
  const counts = { chains: sum('chains'), acts: sum('acts'), states: sum('states') }
  console.log(`chains of up to ${depth} acts:`, {
    ...counts,
    findings: findings.length,
    seconds: Math.round((performance.now() - begin) / 1000),
  })
  expect(findings).toEqual([])
  expect(new Set(world.candidates.map(({ kind }) => kind))).toEqual(new Set(Object.keys(ACTS)))
}

test('no action gives its actor more rights than it began with', () => expectNoChains(1, 1), 900_000)
test('no sequence of two or three actions does', { tags: 'extended', timeout: 900_000 }, () =>
  expectNoChains(MOST_DEPTH, MOST_OWNER_DEPTH),
)

test('what an action changes of logins, permissions and names is declared, told and not undone silently', async () => {
  for (const isAlone of [false, true]) {
    const { acts, findings } = await findUndeclaredEffects(world, isAlone)
    console.log(`effects by difference: ${acts} acts, ${findings.length} findings`)
    expect(findings).toEqual([])
  }
}, 300_000)

// That the same searches find nothing while the effects are declared is part of the search above.
describe('the search finds an action that lacks authorization for its effects', () => {
  const cases: [ActKind[], Right, typeof world, string][] = [
    [['change-person'], 'bookings', world, 'rights: '],
    [['merge-people'], 'bookings', world, 'unconfirmed registration'],
    [['book'], 'bookings', world, 'unconfirmed registration'],
    [['send-message'], 'bookings', world, 'unconfirmed registration'],
    [['unlock-person'], 'bookings', lockedDemo, 'closed account'],
    [['lock-person'], 'bookings', world, 'nobody can grant rights'],
    [['revoke-right', 'grant-right'], 'owner', world, 'nobody can grant rights'],
    [['save-instructor', 'change-course'], 'programme', world, 'names'],
    [['change-lesson'], 'programme', world, 'names'],
  ]
  test.each(cases)(
    '%j',
    async (kinds, right, of, what) => {
      const search = () => searchChains({ world: of, depth: kinds.length, kinds }, [[right]])
      if (of !== world) expect((await search()).findings).toEqual([])
      const { findings } = await withoutEffects(kinds, search)
      expect(findings.map(one => one.what)).toContainEqual(expect.stringContaining(what))
    },
    120_000,
  )

  test.each([
    [['change-person'], 'bookings', 'an account with rights'],
    [['lock-person'], 'bookings', 'an account with rights'],
    [['unlock-person'], 'bookings', 'an account with rights'],
    [['save-instructor', 'change-course'], 'programme', 'names'],
  ] satisfies [ActKind[], Right, string][])(
    'of an API client: %j',
    async (kinds, right, what) => {
      const search = () => searchChains({ world, depth: kinds.length, kinds, isProgram: true }, [[right]])
      const { findings } = await withoutEffects(kinds, search)
      expect(findings.map(one => one.what)).toContainEqual(expect.stringContaining(what))
    },
    120_000,
  )

  test('a closed demo account stays closed even without these checks', async () => {
    const search = () => searchChains({ world, depth: 1, kinds: ['unlock-person'] }, [['bookings']])
    expect((await withoutEffects(['unlock-person'], search)).findings).toEqual([])
  })
})

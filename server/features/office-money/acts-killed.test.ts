import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Act, ActKind } from '#contract/acts/acts.ts'
import { batchActs } from '#contract/acts/batches.ts'
import { moneyActs } from '#contract/acts/money.ts'
import { auditPortal } from '#server/audit/audit.ts'
import { sql } from '#server/db/client.ts'
import { performAct } from '#server/features/acts/service.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { insertOfficer, openTestDesk } from '#server/test/desk.ts'
import { dyingAt } from '#server/test/dying-database.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server
const desk = await openTestDesk(server, ['billing', 'bookings', 'programme'])
const officer = await insertOfficer(server, ['billing'])
const call = {
  actor: { kind: 'user', id: officer.id, rights: ['billing'] },
  language: 'de',
  config: server.context.config,
} as const

/** Every row of the ledger and what is made of it, as one hash; without identities, which a rolled back transaction uses up. */
const TABLES = [
  'ledger_entries',
  'settlements',
  'settlement_lines',
  'batches',
  'batch_lines',
  'batch_entries',
  'batch_files',
  'invoices',
  'payments',
  'bank_lines',
  'proofs',
  'payer_consents',
  'season_reports',
  'attendance_decisions',
  'office_record',
  'inbox_items',
]
async function readState(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const table of TABLES) {
    const { hash } = await db.one<{ hash: string }>(sql`
      select count(*) || ' ' || coalesce(md5(string_agg(row::text, '' order by row::text)), '') as hash
      from ${sql.raw(table)} row`)
    hashes[table] = hash
  }
  return hashes
}

const kinds = [...Object.keys(moneyActs), ...Object.keys(batchActs)] as ActKind[]

describe.each(kinds)('%s', kind => {
  test('killed before any statement changes nothing; ten times, also at once, it happens once', async () => {
    const sample = await prepareAct(server, kind, desk.act)
    if (!sample) throw new Error(`${kind} has no sample`)
    const act = { preview: false, ...sample.act, actId: randomUUID() } as Act
    const before = await readState()
    let statement = 1
    for (; ; statement += 1) {
      const dying = dyingAt(db, statement)
      const answer = await performAct(dying, act, call).catch(() => null)
      if (!dying.hasDied()) {
        expect(answer).toMatchObject({ status: 'Ok' })
        break
      }
      expect(answer).toBeNull()
      expect(await readState(), `died at statement ${statement}`).toEqual(before)
    }
    expect(statement).toBeGreaterThan(5)
    const after = await readState()
    const answers = await Promise.all(Array.from({ length: 10 }, () => performAct(db, act, call)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await readState()).toEqual(after)
  }, 60_000)
})

test('the audit finds nothing afterwards', async () => {
  const { findings } = await auditPortal(db)
  expect(findings.filter(line => /^(?:ledger|booking \d|batch|invoice|bank)/.test(line))).toEqual([])
})

import { afterEach, expect, test } from 'vitest'
import { sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'
import { insertInvoice } from '#server/test/money-scene.ts'
import { createTestServer } from '#server/test/server.ts'
import { auditPortal } from './audit.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const gone = (table: string) => sql`alter table ${sql.raw(table)} disable trigger all`

test.each<[string, SqlFragment[], RegExp]>([
  ['nothing', [], /^$/],
  [
    'a balance below 0',
    [sql`insert into ledger_entries (account_id, kind, cents) select id, 'goodwill', -4501 from ledger_accounts`],
    /^ledger account \d+: the balance is -1 cents$/,
  ],
  [
    'a changed line',
    [gone('batch_lines'), sql`update batch_lines set cents = 1`],
    /batch line \d+-00001: 1 cents, its entries have 4500/,
  ],
  [
    'a number left out',
    [gone('invoices'), sql`update invoices set sequence = 9`],
    /invoices of 2001: 1, the highest number is 9/,
  ],
  [
    'a changed file',
    [gone('batch_files'), sql`update batch_files set content = 'x'`],
    /batch \d+: its file is missing or another one/,
  ],
  [
    'a payment too high',
    [sql`insert into payments (invoice_number, paid_on, cents) select number, current_date, 4501 from invoices`],
    /invoice 2001-\d+: 4500 cents, paid 4501/,
  ],
  [
    'a settlement without its entries',
    [
      sql`insert into settlements (course_id, number, facts_hash) values (1, 1, '')`,
      sql`insert into settlement_lines select s.id, 7, a.id, '{"cents": {"fee": 100}}' from settlements s, ledger_accounts a`,
    ],
    /booking 7: settled for 100 cents, the ledger has 0/,
  ],
])('the audit finds %s', async (_what, statements, finding) => {
  const { db, close } = await createTestServer()
  open.push(close)
  await insertInvoice(db)
  for (const statement of statements) await db.execute(statement)
  const { findings } = await auditPortal(db)
  expect(findings.join('\n')).toMatch(finding)
})

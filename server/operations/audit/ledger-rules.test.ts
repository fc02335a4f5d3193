import { afterEach, expect, test } from 'vitest'
import { settleCourse } from '#server/features/money/settlement-service.ts'
import { sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { insertInvoice, insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { createTestServer } from '#server/test/server.ts'
import { auditPortal } from './audit.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const gone = (table: string) => sql`alter table ${sql.raw(table)} disable trigger all`
/** Changes a settled fact about regular attendance directly in the database. */
const changeFact = (path: string, value: number) => [
  gone('settlement_lines'),
  sql`
    update settlement_lines set facts = jsonb_set(facts, ${path}::text[], to_jsonb(${value}::int))
    where facts ->> 'outcome' = 'regular'`,
]

/** Makes the course's first or last entry one without a settlement, recorded at the time of the settlement. */
const recordAtSettlement = (which: 'min' | 'max') => [
  gone('ledger_entries'),
  sql`
    update ledger_entries e set settlement_id = null, made_at = s.made_at from settlements s
    where e.id = (select ${sql.raw(which)}(id) from ledger_entries where settlement_id = s.id)`,
]

test.each<[string, SqlFragment[], RegExp]>([
  ['nothing', [], /^$/],
  ['nothing if an entry preceded the settlement within the same microsecond', recordAtSettlement('min'), /^$/],
  [
    'a settlement that an entry within the same microsecond did not precede',
    recordAtSettlement('max'),
    /^booking \d+: settled for 4500 cents of fee, the ledger has 0$/m,
  ],
  [
    'a balance below 0',
    [sql`insert into ledger_entries (account_id, kind, cents) select min(id), 'goodwill', -4501 from ledger_accounts`],
    /^ledger account \d+: the balance is -1 cents$/,
  ],
  [
    'a changed line',
    [gone('batch_lines'), sql`update batch_lines set cents = 1`],
    /batch line \d+-00001: 1 cents, its entries have 4500/,
  ],
  [
    'an invoice of a course whose attendance had changed since its settlement',
    [
      sql`
        insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at)
        select gen_random_uuid(), course_date_id, web_user_id, not is_present, clock_timestamp() from attendances limit 1`,
      gone('batches'),
      sql`update batches set closed_at = clock_timestamp()`,
      sql`
        insert into batch_entries (line_id, entry_id)
        select (select max(id) from batch_lines), min(id) from ledger_entries where settlement_id is not null`,
    ],
    /^batch \d+: closed with entries of course C\d+, whose attendance had changed since it was settled$/m,
  ],
  [
    'a skipped number',
    [gone('invoices'), sql`update invoices set sequence = 9`],
    /invoices of 2001: 1, the highest number is 9/,
  ],
  [
    'a changed file',
    [gone('batch_files'), sql`update batch_files set content = 'x'`],
    /batch \d+: its file is missing or another one/,
  ],
  [
    'a posting of another amount',
    [
      sql`
        insert into postings (document, batch_id, cents)
        select 'invoice ' || number, (select max(id) from batches), 1 from invoices`,
    ],
    /^batch \d+: 1 cents for invoice 2001-\d+, the document has 4500$/,
  ],
  [
    'a payment too high',
    [sql`insert into payments (invoice_number, paid_on, cents) select number, current_date, 4501 from invoices`],
    /invoice 2001-\d+: 4500 cents, paid 4501/,
  ],
  [
    'a changed entry',
    [gone('ledger_entries'), sql`update ledger_entries set cents = 4501 where kind = 'fee'`],
    /^booking \d+: settled for 4500 cents of fee, the ledger has 4501$/m,
  ],
  [
    'an entry of another kind',
    [gone('ledger_entries'), sql`update ledger_entries set kind = 'energy-fee' where kind = 'fee'`],
    /booking \d+: settled for 4500 cents of fee, the ledger has 0/,
  ],
  [
    'a changed input, even if the amounts still follow from it',
    changeFact('{present}', 3),
    /^settlement 1 of course \d+: its facts are not those that it was made with$/,
  ],
  [
    'regular attendance that the inputs contradict',
    changeFact('{present}', 1),
    /^settlement 1 of course \d+, booking \d+: regular with 1 of 3 lessons, 2 needed$/m,
  ],
  [
    'a refund without a cancelled lesson',
    changeFact('{cents,lessons-cancelled}', -100),
    /booking \d+: 3 of 3 lessons delivered, 100 cents refunded/,
  ],
  ['a waiver of another amount', changeFact('{cents,waiver}', -4499), /booking \d+: regular, 4499 cents waived/],
  [
    'an impossible number of required lessons',
    changeFact('{needed}', 0),
    /booking \d+: 2 of 3 lessons, 0 needed, 3 of 3 delivered/,
  ],
])('the audit finds %s', async (_what, statements, finding) => {
  const { db, close } = await createTestServer()
  open.push(close)
  await insertInvoice(db)
  const course = await insertPastCourse(db)
  for (const present of [2, 0]) await insertPlace(db, course, present)
  await db.transaction(tx => settleCourse(tx, course.id, { region: 'DE-NI', actorId: null }))
  for (const statement of statements) await db.execute(statement)
  const { findings } = await auditPortal(db)
  expect(findings.join('\n')).toMatch(finding)
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Act, ActKind } from '#contract/acts/acts.ts'
import { batchActs } from '#contract/acts/batches.ts'
import { moneyActs } from '#contract/acts/money.ts'
import { uploadOfficeFile } from '#contract/office/content.ts'
import type { BatchKind } from '#server/features/money/batch-repository.ts'
import { performAct } from '#server/office/acts/service.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { dyingAt } from '#server/test/dying-database.ts'
import { dateFromNow, insertRow } from '#server/test/factories.ts'
import { insertInvoice, insertOwed } from '#server/test/money-scene.ts'
import { insertOfficer, openTestDesk, type TestAct } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { buildCamt } from '#server/test/statements.ts'

const server = await openTestServer()
const { db } = server
const office = await openTestDesk(server, ['billing', 'bookings', 'programme'])
const callOf = async () => {
  const { id } = await insertOfficer(server, ['billing'])
  return { actor: { kind: 'user', id, rights: ['billing'] }, language: 'de', config: server.context.config } as const
}
const call = await callOf()

/** Inserts new test data. @returns a function that creates the same action on each call */
type Prepare = () => Promise<() => Promise<TestAct>>

const kinds = [...Object.keys(moneyActs), ...Object.keys(batchActs)] as ActKind[]
const SAMPLES = kinds.map((kind): [string, Prepare] => [
  kind,
  async () => {
    const sample = await prepareAct(server, kind, office.act)
    return async () => sample.act
  },
])

const insertDraft = async (kind: BatchKind) => {
  const { id: batchId } = await insertRow<{ id: number }>(db, 'batches', { kind })
  return async () => ({ kind: 'close-batch', batchId }) as const
}
/** A person with an invoice of 45 € and a credit, which is paid out only if the invoice is paid. */
async function insertCredit(cents: number, { isPaid }: { isPaid: boolean }): Promise<void> {
  const { id, accountId, number } = await insertInvoice(db)
  await insertRow(db, 'ledger_entries', { accountId, kind: 'lessons-cancelled', cents: 0 - cents })
  if (!isPaid) return
  await insertRow(db, 'payments', { invoiceNumber: number, paidOn: dateFromNow(0), cents: 4500 })
  await insertRow(db, 'payout_accounts', { webUserId: id, iban: 'DE75512108001245126199' })
}
/** Three unpaid invoices, and a bank statement that pays two of them, one in two parts. */
async function insertStatement(name: string, write: (credits: { cents: number; text: string }[]) => string) {
  const [first, second] = [await insertInvoice(db), await insertInvoice(db), await insertInvoice(db)]
  const text = write([
    { cents: 4500, text: first.number },
    { cents: 2000, text: second.number },
    { cents: 2000, text: second.number },
    { cents: 100, text: 'Miete' },
  ])
  return async () => {
    const { body } = await server.request(uploadOfficeFile, { token: office.token, file: new File([text], name) })
    return { kind: 'mark-paid', fileId: body.fileId } as const
  }
}

/** Actions that write or read files, each with a separate code path. */
const FILES: [string, Prepare][] = [
  [
    'close-batch of payroll',
    async () => {
      for (const number of ['00900', '00901']) await insertOwed(db, { personnelNumber: number, knownAt: new Date() })
      return insertDraft('payroll')
    },
  ],
  [
    'close-batch of invoices',
    async () => {
      for (let count = 0; count < 2; count += 1) await insertOwed(db, { billingType: 3 })
      return insertDraft('invoice')
    },
  ],
  [
    'close-batch of refunds, one set off and one paid out',
    async () => {
      await insertCredit(1000, { isPaid: false })
      await insertCredit(1250, { isPaid: true })
      return insertDraft('refund')
    },
  ],
  [
    'close-batch of accounting',
    async () => {
      await insertInvoice(db)
      return insertDraft('accounting')
    },
  ],
  ['mark-paid by a camt.053', () => insertStatement('statement.xml', buildCamt)],
  [
    'mark-paid by a CSV',
    () =>
      insertStatement('statement.csv', credits =>
        ['bookedOn;amount;text', ...credits.map(({ cents, text }) => `2026-11-24;${cents / 100};${text}`)].join('\n'),
      ),
  ],
]

/** Tables of the ledger and of everything derived from it; each is hashed with all rows. */
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
  'payout_accounts',
  'postings',
  'bank_lines',
  'proofs',
  'payer_consents',
  'season_reports',
  'attendance_decisions',
  'office_record',
  'inbox_items',
]
const hashes = TABLES.map(
  table => sql`
    select ${table}::text as "table", count(*) || ' ' || coalesce(md5(string_agg(row::text, '' order by row::text)), '') as hash
    from ${sql.raw(table)} row`,
)
const readState = () => db.query<{ table: string; hash: string }>(sql.join(hashes, sql` union all `))

/**
 * The ledger and the files as hashes; without ids, which a rolled-back transaction uses up, and without workbooks,
 * which contain the time.
 */
const readMade = (tx: Queryable): Promise<object[]> =>
  tx.query(sql`
    select concat_ws(' ', 'entry', a.web_user_id, e.kind) as what, sum(e.cents)::text as value
    from ledger_entries e join ledger_accounts a on a.id = e.account_id group by 1
    union all select 'line ' || reference, concat_ws(' ', cents, route, state) from batch_lines
    union all select concat_ws(' ', 'file', batch_id, format), encode(sha256(content), 'hex') from batch_files where format <> 'xlsx'
    union all select 'invoice ' || number, concat_ws(' ', cents, encode(sha256(pdf), 'hex')) from invoices
    union all select 'payment ' || invoice_number, concat_ws(' ', count(*), sum(cents)) from payments group by 1
    union all select 'bank ' || encode(hash, 'hex'), cents::text from bank_lines
    union all select 'iban ' || web_user_id, iban from payout_accounts
    order by 1, 2`)

class RolledBack extends Error {}

/** Performs the action without a fault and rolls it back. @returns what it created */
async function readUndisturbed(act: Act): Promise<object[]> {
  let made: object[] = []
  const work = async (tx: Queryable): Promise<never> => {
    const inside = { ...tx, transaction: <Result>(inner: (tx: Queryable) => Promise<Result>) => inner(tx) } as Database
    expect(await performAct(inside, act, call)).toMatchObject({ status: 'Ok' })
    made = await readMade(tx)
    throw new RolledBack()
  }
  await db.transaction(work).catch(error => {
    if (!(error instanceof RolledBack)) throw error
  })
  return made
}

const actOf = (body: TestAct) => ({ preview: false, ...body, actId: randomUUID() }) as Act

/** Kills the action before a statement, then before a later one, until it succeeds; then repeats it concurrently. */
async function expectAllOrNothing(prepare: Prepare, next: (statement: number) => number): Promise<void> {
  const act = actOf(await (await prepare())())
  const undisturbed = await readUndisturbed(act)
  const before = await readState()
  let statement = 1
  for (; ; statement = next(statement)) {
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
  expect(await readMade(db)).toEqual(undisturbed)
  const after = await readState()
  const answers = await Promise.all(Array.from({ length: 10 }, () => performAct(db, act, call)))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(await readState()).toEqual(after)
}

describe.each([...SAMPLES, ...FILES])('%s', (_name, prepare) => {
  const once = 'and takes effect once if repeated, also concurrently'
  test(
    `changes nothing if killed before some statements, ${once}`,
    () => expectAllOrNothing(prepare, statement => 2 * statement),
    120_000,
  )
  test(`changes nothing if killed before any statement, ${once}`, { tags: 'extended', timeout: 120_000 }, () =>
    expectAllOrNothing(prepare, statement => statement + 1),
  )
})

describe.each(FILES)('%s', (_name, prepare) => {
  test('sent concurrently by two users, five times each, results in the same ledger and the same files', async () => {
    const make = await prepare()
    const undisturbed = await readUndisturbed(actOf(await make()))
    const other = await callOf()
    const acts = []
    for (let count = 0; count < 10; count += 1) acts.push(actOf(await make()))
    const answers = await Promise.all(acts.map((act, index) => performAct(db, act, index % 2 ? call : other)))
    const isRepeated = (paid: unknown) => Array.isArray(paid) && paid.length === 0
    expect(answers.filter(({ status, result }) => status === 'Ok' && !isRepeated(result.paid))).toHaveLength(1)
    expect(await readMade(db)).toEqual(undisturbed)
  }, 120_000)
})

test('the audit has no findings afterwards', async () => {
  const { findings } = await auditPortal(db)
  expect(findings.filter(line => /^(?:ledger|settlement|booking \d|batch|invoice|bank)/.test(line))).toEqual([])
})

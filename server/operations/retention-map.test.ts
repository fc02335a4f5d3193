import { expect, test } from 'vitest'
import { ACTS } from '#contract/acts/acts.ts'
import { entriesOf, keysOf } from '#contract/records.ts'
import { DATA_KINDS, type DataKindName, RETENTION_LIMITS, type RetentionLimit } from '#contract/tables/data-map.ts'
import { RIGHTS } from '#contract/values.ts'
import { openCentsOfAccount } from '#server/features/money/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { DATA_MAP_TABLES, dataCategoriesByColumn } from '#server/platform/db/data-map.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertRow } from '#server/test/factories.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { insertOwed, insertProof } from '#server/test/money-scene.ts'
import { openTestDesk } from '#server/test/office.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { createWorld } from '#server/test/samples.ts'
import { openTestServer, type TestServer } from '#server/test/server.ts'
import { runRetention } from './retention.ts'

const { db } = await openTestDatabase()

/** Retention periods that may end automatically for a person who has booked and keeps the account, shortest first. */
const ORDER = ['networkAddress', 'tapTime', 'payout', 'mail', 'read', 'knownDevice', 'message', 'participant'] as const

/** Position of a category's retention period in this order; -1: only an event ends it. */
const endOf = (kind: DataKindName) => {
  const until: readonly RetentionLimit[] = DATA_KINDS[kind].until
  return ORDER.findIndex(ending => until.includes(ending))
}
/** Data whose row contains the date of its end is tested rule by rule. */
const hasDateOfItsOwn = (kind: DataKindName) => kind === 'link' || kind === 'session'

test('no data outlives its retention period', async () => {
  const person = await createPersonTraces(db)
  // The department removes a former instructor from the programme and revokes the rights; the account is then deleted
  // like any other.
  await db.execute(sql`delete from instructors where email = ${person.email}`)
  await db.execute(sql`delete from office_rights where web_user_id = ${person.id}`)
  const traces = (await person.listRows()).flatMap(({ table, row }) =>
    Object.entries(row).flatMap(([column, value]) => {
      const kind = dataCategoriesByColumn(table).get(column)
      if (!/-[0-9a-f]{10}(?:@|$)/.test(String(value)) || kind === undefined || hasDateOfItsOwn(kind)) return []
      return [{ word: String(value), end: endOf(kind) }]
    }),
  )
  // A text stored in two places is kept for the longer of both periods.
  const ends = new Map<string, number>()
  for (const { word, end } of traces) ends.set(word, Math.max(ends.get(word) ?? -1, end))
  expect(ends.size).toBeGreaterThan(20)

  const remaining = async () => {
    const dump = JSON.stringify(await dumpTables(db))
    return [...ends.keys()].filter(word => dump.includes(word)).sort()
  }
  expect(await remaining()).toEqual([...ends.keys()].sort())
  for (const [index, ending] of ORDER.entries()) {
    const { now } = await db.one<{ now: Date }>(sql`
      select clock_timestamp() + ${retentionIntervalOf(ending)}::interval + interval '1 day' as now`)
    await runRetention({ db, now })
    const wanted = [...ends].filter(([, end]) => end < 0 || end > index)
    expect(await remaining(), ending).toEqual(wanted.map(([word]) => word).sort())
  }
  expect(await person.listRows(), 'rows that name the person').toEqual([])
})

test('every table about people contains rows in this test', async () => {
  const person = await createPersonTraces(db)
  const tables = new Set((await person.listRows()).map(({ table }) => table))
  const about = Object.entries(DATA_MAP_TABLES).filter(
    ([, { deletion }]) => deletion === 'gone' || deletion === 'pseudonym',
  )
  expect(about.map(([table]) => table).filter(table => !tables.has(table))).toEqual([])
})

/** Retention limits that end with a period, not with an event. */
const isTimed = (kind: DataKindName) => {
  const until: readonly RetentionLimit[] = DATA_KINDS[kind].until
  return until.some(ending => RETENTION_LIMITS[ending] !== null)
}
/** Amounts and dates of the accounts remain without the person. */
const WITHOUT_PERSON = /cents|kind|made_at|_on$|facts|route|state|why/
/** Lists of the company's staff, which the next list replaces. */
const REPLACED = ['eligible_people', 'scim_users']

/** Performs every act of the department once, so that every table has rows with files, people and amounts. */
async function playSeason(server: TestServer): Promise<void> {
  const { db } = server
  const desk = await openTestDesk(server, RIGHTS)
  await createWorld(db)
  for (const kind of keysOf(ACTS)) await desk.send((await prepareAct(server, kind, desk.act)).act)
  const { id } = await insertOwed(db, { personnelNumber: 'P4711', knownAt: new Date() }, 500)
  await insertProof(db, id, { kind: 'sick' })
  await insertRow(db, 'payout_accounts', { webUserId: id, iban: 'DE75512108001245126199' })
  for (const format of ['csv', 'xlsx', 'xml', 'zip']) {
    const batch = await insertRow<{ id: number }>(db, 'batches', {
      kind: 'payroll',
      closedAt: new Date(),
      sha256: Buffer.alloc(32),
    })
    await insertRow(db, 'batch_files', { batchId: batch.id, format, content: Buffer.from('P4711') })
  }
}

/** Columns with data of people whose retention has a period, as far as a row still contains any. */
async function listRemains(tx: Queryable): Promise<string[]> {
  const remains: string[] = []
  for (const [table, { holds }] of Object.entries(DATA_MAP_TABLES)) {
    if (REPLACED.includes(table)) continue
    for (const [kind, columns] of entriesOf(holds)) {
      if (!isTimed(kind)) continue
      for (const column of columns
        ?.split(' ')
        .filter(name => name && (kind !== 'billing' || !WITHOUT_PERSON.test(name))) ?? []) {
        const { count } = await tx.one<{ count: number }>(sql`
          select count(*)::int as count from ${sql.raw(table)} t
          where coalesce(t.${sql.raw(`"${column}"`)}::text, '') not in ('', 'false', '\\x')`)
        if (count > 0) remains.push(`${table}.${column} (${kind}): ${count} rows`)
      }
    }
  }
  return remains
}

test('eleven years after a season nothing is stored beyond its retention period', async () => {
  const server = await openTestServer()
  await playSeason(server)
  // The department removes former instructors and revokes all rights.
  await server.db.execute(sql`delete from instructors`)
  await server.db.execute(sql`delete from office_rights`)
  // Payers are stored until they have paid.
  await server.db.execute(sql`
    insert into ledger_entries (account_id, kind, cents)
    select a.id, 'correction', -${openCentsOfAccount} from ledger_accounts a where ${openCentsOfAccount} <> 0`)
  const before = await listRemains(server.db)
  expect(before.length).toBeGreaterThan(70)
  const later = await server.database.openLater(11 * 366)
  const { now } = await later.one<{ now: Date }>(sql`select clock_timestamp() as now`)
  const amounts = () => server.db.query(sql`select number, cents from invoices order by number`)
  const invoiced = await amounts()
  await runRetention({ db: later, now })
  expect(await listRemains(server.db)).toEqual([])
  expect(await amounts()).toEqual(invoiced)
}, 120_000)

import { expect, test } from 'vitest'
import { DATA_KINDS, type DataKindName, type RetentionLimit } from '#contract/tables/data-map.ts'
import { sql } from '#server/platform/db/client.ts'
import { DATA_MAP_TABLES, dataCategoriesByColumn } from '#server/platform/db/data-map.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { runRetention } from './retention.ts'

const { db } = await openTestDatabase()

/** Retention periods that may end automatically for a person who has booked and keeps the account, shortest first. */
const ORDER = ['networkAddress', 'tapTime', 'mail', 'read', 'knownDevice', 'message', 'participant'] as const

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

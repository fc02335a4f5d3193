import { expect, test } from 'vitest'
import { DATA_KINDS, RETENTION_LIMITS } from '#contract/tables/data-map.ts'
import { retentionRules } from '#server/operations/retention-rules.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { sql } from './client.ts'
import { DATA_MAP_TABLES, dataCategoriesByColumn } from './data-map.ts'

const { db } = await openTestDatabase()

const declared = Object.keys(DATA_MAP_TABLES).flatMap(table =>
  [...dataCategoriesByColumn(table).keys()].map(name => `${table}.${name}`),
)

test('every table and column of the database is in the data map, and vice versa', async () => {
  const columns = await db.query<{ name: string }>(sql`
    select table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const stored = columns.map(({ name }) => name)
  expect(
    stored.filter(name => !declared.includes(name)),
    'columns without a line in data-map.ts',
  ).toEqual([])
  expect(
    declared.filter(name => !stored.includes(name)),
    'lines without a column',
  ).toEqual([])
  expect(new Set(declared).size, 'a column is declared twice').toBe(declared.length)
})

test('every table that references people is deleted with the account or reassigned to a pseudonym', async () => {
  const tables = await db.query<{ table: string }>(sql`
    select distinct conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid = 'web_users'::regclass`)
  expect(tables.length).toBeGreaterThan(5)
  for (const { table } of tables) expect(DATA_MAP_TABLES[table]?.deletion, table).toMatch(/^(?:gone|pseudonym)$/)
})

test('every data category has columns, and only columns of mapped tables are excluded from the export', () => {
  const used = Object.keys(DATA_MAP_TABLES).flatMap(table => [...dataCategoriesByColumn(table).values()])
  expect(new Set(used)).toEqual(new Set(Object.keys(DATA_KINDS)))
  for (const [table, { notExported = {} }] of Object.entries(DATA_MAP_TABLES)) {
    for (const column of Object.keys(notExported)) expect([...dataCategoriesByColumn(table).keys()]).toContain(column)
  }
})

test('every time-based retention period on the server has a retention rule', () => {
  const onServer = Object.values(DATA_KINDS).flatMap(({ until }) => [...until])
  const timed = [...new Set(onServer)].filter(ending => RETENTION_LIMITS[ending] !== null)
  expect(new Set(retentionRules.map(({ ending }) => ending))).toEqual(new Set([...timed, 'session', 'link']))
})

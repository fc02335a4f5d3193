// @module-tag extended
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { createApp } from '#server/app.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { EARLIER_ROWS } from '#server/test/earlier-rows.ts'
import { type Database, sql } from './client.ts'
import { migrate, migrationsFolder } from './migrate.ts'

type Row = Record<string, unknown>
type Tables = Record<string, { columns: string[]; rows: Row[] }>

/** All rows as JSON, without generated columns. */
async function readTables(db: Database): Promise<Tables> {
  const tables = await db.query<{ name: string; columns: string[] }>(sql`
    select table_name as name, json_agg(column_name order by column_name) as columns from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and table_name <> 'migrations' group by 1`)
  const every = tables.map(({ name }) => `select '${name}' as name, to_jsonb(t) as row from ${name} t`)
  const all = await db.query<{ name: string; row: Row }>(sql.raw(every.join(' union all ')))
  const read: Tables = Object.fromEntries(tables.map(({ name, columns }) => [name, { columns, rows: [] }]))
  for (const { name, row } of all) read[name]?.rows.push(row)
  return read
}

const project = (row: Row, columns: string[]) => JSON.stringify(columns.map(column => row[column]))

/** Changes that a migration is expected to make in rows; null: too many to list. */
const CHANGES: Record<string, (table: string, row: Row) => Row | null> = {
  // A deleted account leaves only billing data behind.
  '0005_billing_records.sql': (table, row) =>
    (table === 'web_users' && row.deleted_at !== null) || (table === 'bookings' && row.web_user_id === 7) ? null : row,
  '0008_files_by_content.sql': (table, row) => (table === 'files' || table === 'picture_variants' ? null : row),
  // E-mails no longer contain secrets.
  '0010_mails_by_urgency.sql': (table, row) => {
    if (table !== 'mails') return row
    const { token: _, ...payload } = row.payload as Row
    return { ...row, payload }
  },
  // Rows were moved to another table with new ids, and events were renamed: server/platform/outbox/outbox-migration.test.ts.
  '0050_outbox.sql': (table, row) => (/^(?:pushes|webhook_deliveries|webhooks)$/.test(table) ? null : row),
  // Tokens with a scope that now allows actions remain read-only.
  '0062_acts_by_token.sql': (table, row) =>
    table === 'service_tokens'
      ? { ...row, scopes: (row.scopes as string[]).map(scope => (scope === 'programme' ? 'programme-read' : scope)) }
      : row,
  // Amounts of deleted accounts are deducted from the pay if the HR list has the number, as the employment status had
  // decided. Those of an external whom the department had verified remain on hold.
  '0133_consent_of_deleted_accounts.sql': (table, row) =>
    table === 'ledger_accounts' && row.name === 'Otto Alt' ? { ...row, billing_type: 1 } : row,
  // The start, end and closing time of a course are derived from its lessons.
  '0039_course_span.sql': (table, row) => (table === 'courses' ? null : row),
}

/** Lists rows that are missing after the migration, compared by the columns that both schemas have. */
function findLost(file: string, before: Tables, after: Tables): string[] {
  const change = CHANGES[file] ?? ((_: string, row: Row) => row)
  return Object.entries(before).flatMap(([table, { columns, rows }]) => {
    const { columns: found = [], rows: left = [] } = after[table] ?? {}
    const common = columns.filter(column => found.includes(column))
    const there = left.map(row => project(row, common))
    return rows.flatMap(row => {
      const expected = change(table, row)
      if (expected === null) return []
      const at = there.indexOf(project(expected, common))
      if (at < 0 || common.length === 0) return [`${file}: ${table}: ${project(row, columns)}`]
      there.splice(at, 1)
      return []
    })
  })
}

async function askBooked(db: Database): Promise<{ status: number; courses: string[] }> {
  const config = { ...readConfig({}), dataDir: tmpdir() }
  const { app } = createApp({ db, config, log: pino({ level: 'silent' }), wakeMailer: () => {} })
  const answer = await app.request(listBookedCourses.path, { headers: { SessionToken: 'token of anna' } })
  const courses = (answer.status === 200 ? await answer.json() : []) as { number: string }[]
  return { status: answer.status, courses: courses.map(({ number }) => number).sort() }
}

const files = (await readdir(migrationsFolder)).filter(name => name.endsWith('.sql')).sort()
/** The last commit of version 1.2.0 had migrations up to 64, except these two, whose branches were merged later. */
const isLate = (file: string) => /^00(?:56|60)_/.test(file) || Number(file.slice(0, 4)) > 64

test.each([
  ['by number', files],
  ['of 1.2.0 first', [...files.filter(file => !isLate(file)), ...files.filter(isLate)]],
])(
  'migrations %s keep the rows of every earlier schema, and the portal opens with them',
  async (_, order) => {
    const folder = await mkdtemp(join(tmpdir(), 'earlier-'))
    const { db, close } = await createTestDatabase()
    await db.execute(sql`drop schema public cascade; create schema public`)
    const lost: string[] = []
    let before: Tables = {}
    for (const file of order) {
      await cp(join(migrationsFolder, file), join(folder, file))
      await migrate(db, folder)
      lost.push(...findLost(file, before, await readTables(db)))
      const rows = EARLIER_ROWS[Number(file.slice(0, 4))]
      if (rows) await db.execute(sql.raw(rows))
      before = await readTables(db)
    }
    await rm(folder, { recursive: true })
    expect(lost).toEqual([])
    expect(await migrate(db)).toEqual([])
    expect(await auditPortal(db)).toMatchObject({ findings: [], checked: { courses: 3, bookings: 6, people: 7 } })
    expect(await askBooked(db)).toEqual({ status: 200, courses: ['K-1', 'K-2'] })
    // Billing data of people who deleted their account before billing data was stored.
    expect(await db.query(sql`select name, amount_cents as cents from billing_records order by id`)).toEqual([
      { name: 'Gisela Weg', cents: 7_000 },
      { name: 'Otto Alt', cents: 5_000 },
    ])
    await close()
  },
  240_000,
)

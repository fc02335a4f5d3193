import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '#server/platform/process/start-error.ts'
import { type Database, type Queryable, sql } from './client.ts'
import { explainUnavailable } from './unavailable.ts'

/**
 * Migration statement that is committed separately. `isRepeated`: it is executed repeatedly until it changes no more
 * rows.
 */
type Step = { text: string; line: number; isRepeated: boolean }
type Migration = { number: number; name: string; text: string; checksum: string; steps: Step[] }
export type AppliedMigration = { number: number; name: string; checksum: string }

/**
 * Checksums of 0057: `reworded` for two days between 2.0.0 and 2.0.1, when a comment in it named another path. Databases
 * and backups of these days are those of the released file.
 */
const SEASON_REPORTS = {
  reworded: '7004cece84ed72d8ef35f806f6b77ded212a1db89b3dd926fd92083219b402e4',
  released: '9593e0e06c32f27001c71214560d0e8dfc191ef387fd11afce811ddd2f543a39',
}
const releasedChecksumOf = (checksum: string) =>
  checksum === SEASON_REPORTS.reworded ? SEASON_REPORTS.released : checksum

export const migrationsFolder = join(import.meta.dirname, 'migrations')

/** Poll interval in ms while another process applies the migration. */
const TURN_MS = 200

/**
 * Applies the missing migrations (`0001_name.sql`, …), each in one transaction or, if it has steps, step by step. Only
 * one server at a time applies migrations. A missing migration may have a lower number than an applied one if both were
 * developed concurrently and the higher one was released first.
 * @returns names of the applied files
 * @throws StartError if the database is incompatible or a statement fails
 */
export async function migrate(
  db: Database,
  folder: string = migrationsFolder,
  tell: (line: string) => void = () => {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const applied: string[] = []
  await db.transaction(async tx => verifyHistory(await lockHistory(tx), migrations))
  for (const migration of migrations) {
    const isNew =
      migration.steps.length > 0
        ? await db.session(session => applyInSteps(session, migration, tell))
        : await db.transaction(tx => applyOnce(tx, migration))
    if (isNew) applied.push(migration.name)
  }
  return applied
}

/**
 * Applies to an empty database the same migrations that were applied to another one.
 * @throws StartError if one of these migrations is unknown
 */
export async function migrateTo(
  tx: Queryable,
  history: AppliedMigration[],
  folder: string = migrationsFolder,
): Promise<void> {
  const migrations = await readMigrations(folder)
  verifyHistory(history, migrations)
  const numbers = new Set(history.map(({ number }) => number))
  for (const migration of migrations) if (numbers.has(migration.number)) await applyOnce(tx, migration)
}

/** Applies all missing migrations within the given transaction. Only for a database that no other process uses yet. */
export async function migrateInTransaction(tx: Queryable): Promise<void> {
  for (const migration of await readMigrations(migrationsFolder)) await applyOnce(tx, migration)
}

/** Number of the newest applied migration; null for an empty database. */
export async function findNewestMigration(db: Queryable): Promise<number | null> {
  const { isThere } = await db.one<{ isThere: boolean }>(sql`select to_regclass('migrations') is not null as "isThere"`)
  return isThere
    ? (await db.one<{ newest: number | null }>(sql`select max(number)::int as newest from migrations`)).newest
    : null
}

/** Whether all migrations of this version have been applied. Migrations of newer versions are ignored. */
export async function isMigrated(db: Queryable, folder: string = migrationsFolder): Promise<boolean> {
  const migrations = await readMigrations(folder)
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from migrations join unnest(
      ${migrations.map(({ number }) => number)}::int[], ${migrations.map(({ checksum }) => checksum)}::text[]
    ) as ours (number, checksum) using (number, checksum)`)
  return count === migrations.length
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    names.map(async name => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
      if (!number) throw new StartError(`Migration ${join(folder, name)} is not named like 0001_name.sql`)
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { number: Number(number), name, text, checksum, steps: readSteps(name, text) }
    }),
  )
  migrations.forEach((migration, index) => {
    const previous = migrations[index - 1]
    if (previous?.number === migration.number)
      throw new StartError(`Migrations ${previous.name} and ${migration.name} in ${folder} have the same number`)
  })
  return migrations
}

/** Parses the statements that follow `-- step` lines. Empty if the file is executed as one transaction. */
function readSteps(name: string, text: string): Step[] {
  const [head = '', ...parts] = text.split(/^-- step(, until nothing changes)?\n/m)
  if (parts.length === 0) return []
  if (!/^(?:(?:--.*)?\n)*$/.test(head)) throw new StartError(`Migration ${name} has a statement above its first step`)
  let line = head.split('\n').length
  return parts.flatMap((part, index) => {
    if (index % 2 === 0) return []
    const step = { text: part, line: line + 1, isRepeated: parts[index - 1] !== undefined }
    line += part.split('\n').length
    // Several statements in one query would form one transaction, and the row count would be that of the last
    // statement.
    if (!/^[^;]+;?\s*$/.test(part))
      throw new StartError(`Migration ${name} has more or less than one statement below line ${step.line - 1}`)
    return [step]
  })
}

/** Acquires the migration lock, which is held until the end of the transaction. */
async function lockHistory(tx: Queryable): Promise<AppliedMigration[]> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('migrations'))`)
  await tx.execute(sql`create table if not exists migrations (
    number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
  const history = await tx.query<AppliedMigration>(sql`select number, name, checksum from migrations order by number`)
  // Nothing is written otherwise: a start must not wait for a move, which locks all tables against writes.
  if (history.some(({ checksum }) => checksum === SEASON_REPORTS.reworded))
    await tx.execute(
      sql`update migrations set checksum = ${SEASON_REPORTS.released} where checksum = ${SEASON_REPORTS.reworded}`,
    )
  return history
}

function verifyHistory(history: AppliedMigration[], migrations: Migration[]) {
  const byNumber = new Map(migrations.map(migration => [migration.number, migration]))
  for (const { number, name, checksum } of history) {
    const migration = byNumber.get(number)
    if (!migration)
      throw new StartError(
        `The database is newer than this portal: it has migration ${name}, which is unknown here. Start the newer portal`,
      )
    if (migration.checksum !== releasedChecksumOf(checksum))
      throw new StartError(
        `Migration ${migration.name} was changed after it was applied. Restore the file and put the change into a new one`,
      )
  }
}

async function applyOnce(tx: Queryable, { number, name, text, checksum, steps }: Migration): Promise<boolean> {
  const history = await lockHistory(tx)
  if (history.some(applied => applied.number === number)) return false
  // The database has no concurrent users, so even a migration with steps runs in a single transaction.
  const whole = steps.length > 0 ? text.replace(/\bconcurrently\b/gi, '') : text
  await tx.execute(sql.raw(whole)).catch(error => {
    throw explainFailure(error, name, whole)
  })
  await insertApplied(tx, { number, name, checksum })
  return true
}

const insertApplied = (db: Queryable, { number, name, checksum }: AppliedMigration) =>
  db.execute(sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`)

/**
 * Applies a migration step by step. A step may already have run partially. The lock is not held while a statement runs,
 * because `create index concurrently` waits for all older transactions.
 */
async function applyInSteps(session: Queryable, migration: Migration, tell: (line: string) => void): Promise<boolean> {
  const { number, name, steps } = migration
  await session.execute(
    sql`select set_config(name, '0', false) from (values ('statement_timeout'), ('lock_timeout')) limits (name)`,
  )
  const isFree = sql`select pg_try_advisory_lock(hashtext('migration steps')) as yes`
  while (!(await session.one<{ yes: boolean }>(isFree)).yes) await sleep(TURN_MS)
  if (await session.maybeOne(sql`select from migrations where number = ${number}`)) return false
  await dropHalfMade(session, migration)
  for (const [index, { text, line, isRepeated }] of steps.entries()) {
    tell(`${name}: step ${index + 1} of ${steps.length} …`)
    let changed: number
    do {
      changed = await session.execute(sql.raw(text)).catch(error => {
        throw explainFailure(error, name, text, line)
      })
    } while (isRepeated && changed > 0)
  }
  await insertApplied(session, migration)
  return true
}

/**
 * Drops the invalid index that an interrupted `create index concurrently` leaves behind, so that its name is available
 * again.
 */
async function dropHalfMade(session: Queryable, { text }: Migration): Promise<void> {
  const halfMade = await session.query<{ name: string }>(sql`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace`)
  for (const { name } of halfMade)
    if (text.includes(name)) await session.execute(sql.raw(`drop index concurrently if exists "${name}"`))
}

function explainFailure(cause: unknown, name: string, text: string, firstLine = 1): StartError {
  const lost = cause instanceof pg.DatabaseError ? null : explainUnavailable(cause)
  if (lost instanceof StartError) return lost
  const position = cause instanceof pg.DatabaseError && Number(cause.position)
  const line = position ? ` in line ${firstLine - 1 + text.slice(0, position).split('\n').length}` : ''
  return new StartError(`Migration ${name} failed${line}: ${cause instanceof Error ? cause.message : cause}`, { cause })
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '#server/start-error.ts'
import { type Database, type Queryable, sql } from './client.ts'

type Migration = { number: number; name: string; text: string; checksum: string }
export type AppliedMigration = { number: number; name: string; checksum: string }

export const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Brings the database to the newest of the files `0001_name.sql`, `0002_…` in `folder`, each in a transaction of its own.
 * Several servers may do this at once: they take turns.
 * @returns the names of the files applied now.
 * @throws StartError if the database does not fit the files or a statement fails.
 */
export async function migrate(db: Database, folder: string = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const applied: string[] = []
  await db.transaction(async tx => verifyHistory(await lockHistory(tx), migrations))
  for (const migration of migrations) {
    const isNew = await db.transaction(tx => applyOnce(tx, migration))
    if (isNew) applied.push(migration.name)
  }
  return applied
}

/**
 * Brings an empty database to where another one is, in the transaction given.
 * @throws StartError if this portal does not know the other one's migrations
 */
export async function migrateTo(tx: Queryable, history: AppliedMigration[]): Promise<void> {
  const migrations = await readMigrations(migrationsFolder)
  verifyHistory(history, migrations)
  const numbers = new Set(history.map(({ number }) => number))
  for (const migration of migrations) if (numbers.has(migration.number)) await applyOnce(tx, migration)
}

/** Whether the database has every migration of this version; later ones of a newer version do no harm. */
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
      return { number: Number(number), name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
  migrations.forEach((migration, index) => {
    const previous = migrations[index - 1]
    if (previous?.number === migration.number)
      throw new StartError(`Migrations ${previous.name} and ${migration.name} in ${folder} have the same number`)
  })
  return migrations
}

/** Waits for its turn, which lasts to the end of the transaction. */
async function lockHistory(tx: Queryable): Promise<AppliedMigration[]> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('migrations'))`)
  await tx.execute(sql`create table if not exists migrations (
    number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
  return tx.query<AppliedMigration>(sql`select number, name, checksum from migrations order by number`)
}

function verifyHistory(history: AppliedMigration[], migrations: Migration[]) {
  const newest = history.at(-1)
  const byNumber = new Map(migrations.map(migration => [migration.number, migration]))
  for (const { number, name, checksum } of history) {
    const migration = byNumber.get(number)
    if (!migration)
      throw new StartError(
        `The database is newer than this portal: it has migration ${name}, which is unknown here. Start the newer portal`,
      )
    if (migration.checksum !== checksum)
      throw new StartError(
        `Migration ${migration.name} was changed after it was applied. Restore the file and put the change into a new one`,
      )
  }
  const applied = new Set(history.map(({ number }) => number))
  const late = migrations.find(({ number }) => newest && number < newest.number && !applied.has(number))
  if (late && newest)
    throw new StartError(`Migration ${late.name} comes too late: the database already has ${newest.name}`)
}

async function applyOnce(tx: Queryable, { number, name, text, checksum }: Migration): Promise<boolean> {
  const history = await lockHistory(tx)
  if (history.some(applied => applied.number === number)) return false
  try {
    await tx.execute(sql.raw(text))
  } catch (cause) {
    const position = cause instanceof pg.DatabaseError && Number(cause.position)
    const line = position ? ` in line ${text.slice(0, position).split('\n').length}` : ''
    throw new StartError(`Migration ${name} failed${line}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  await tx.execute(sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`)
  return true
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { withSingleConnection } from '#server/platform/db/connect.ts'
import { dumpTables } from './import-folder.ts'
import { execute, withDatabase } from './setup.ts'

/** @returns the URL of a database without tables, dropped at the end of the test */
export async function createEmptyDatabase(): Promise<string> {
  const server = withDatabase(inject('templateUrl'), 'postgres')
  const name = `empty_${randomBytes(6).toString('hex')}`
  await execute(server, `create database ${name} template template0`)
  onTestFinished(() => execute(server, `drop database if exists ${name} with (force)`))
  return withDatabase(server, name)
}

/** Creates a folder that is removed at the end of the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copies-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = await connect(url)
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** Returns all rows except the table `migrations`, even of a read-only database. */
export async function dump(url: string, without: string[] = []): Promise<Record<string, object[]>> {
  const tables = await withSingleConnection({ connectionString: url }, dumpTables)
  for (const name of ['migrations', ...without]) delete tables[name]
  return tables
}

/** Blocks a copy into a database at its first statement there. */
export async function holdCopy(target: string): Promise<{ isReached(): Promise<boolean>; release(): Promise<void> }> {
  const holder = await connect(target)
  await holder.query(`select pg_advisory_lock(hashtext('migrations'))`)
  return {
    isReached: async () =>
      (
        await query(
          target,
          `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        )
      ).length > 0,
    release: () => holder.end(),
  }
}

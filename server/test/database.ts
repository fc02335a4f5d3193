import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase, sql } from '#server/platform/db/client.ts'
import { execute, withDatabase } from './setup.ts'

export type TestDatabase = {
  db: Database
  /** URL for code that opens its own connection, as with DATABASE_URL. */
  url: string
  /** Connection settings with which openDatabase opens a second pool on the same data. */
  connection: { connectionString: string }
  /** Resolves as soon as at least this many statements are waiting for a lock. @throws Error after ten seconds */
  untilWaiting(count: number): Promise<void>
  /** Opens a second pool for which it is some days later; `close` closes it. */
  openLater(days: number): Promise<Database>
  /** Closes the pool and drops the database. */
  close(): Promise<void>
}

type Options = { timeZone?: string; poolSize?: number }

/** Creates a fresh database with all migrations and no rows, which takes some milliseconds. */
export async function createTestDatabase({
  timeZone = 'Europe/Berlin',
  poolSize = 5,
}: Options = {}): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl')
  const serverUrl = withDatabase(templateUrl, 'postgres')
  const template = new URL(templateUrl).pathname.slice(1)
  const name = `test_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = withDatabase(templateUrl, name)
  const connection = { connectionString: url }
  const db = openDatabase({ connection, timeZone, poolSize })
  const others: Database[] = []
  return {
    db,
    url,
    connection,
    async untilWaiting(count) {
      for (let attempt = 0; attempt < 1000; attempt++) {
        const { waiting } = await db.one<{ waiting: number }>(sql`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        if (waiting >= count) return
        await sleep(10)
      }
      throw new Error(`fewer than ${count} statements wait for a lock`)
    },
    async openLater(days) {
      const schema = `later_${randomBytes(6).toString('hex')}`
      await execute(url, `create schema ${schema}`)
      await execute(
        url,
        `create function ${schema}.clock_timestamp() returns timestamptz language sql volatile as
          $$ select pg_catalog.clock_timestamp() + interval '${days} days' $$`,
      )
      const options = `-c search_path=${schema},pg_catalog,public`
      const later = openDatabase({ connection: { connectionString: url, options }, timeZone, poolSize })
      others.push(later)
      return later
    },
    async close() {
      for (const open of [db, ...others]) await open.close()
      await execute(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/** Opens the database that all tests of a file share. */
export async function openTestDatabase(options?: Options): Promise<TestDatabase> {
  const database = await createTestDatabase(options)
  afterAll(() => database.close())
  return database
}

import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from './client.ts'
import { execute, withDatabase } from './test-server.ts'

export type TestDatabase = {
  db: Database
  /** For code that connects by itself, as with DATABASE_URL. */
  url: string
  /** For openDatabase, to have a second pool on the same data. */
  connection: { connectionString: string }
  /** Closes the pool and drops the database. */
  close(): Promise<void>
}

/** A fresh database with every migration applied and no rows, for one test file; takes some milliseconds. */
export async function createTestDatabase({ timeZone = 'Europe/Berlin', poolSize = 5 } = {}): Promise<TestDatabase> {
  const templateUrl = inject('templateUrl')
  const serverUrl = withDatabase(templateUrl, 'postgres')
  const template = new URL(templateUrl).pathname.slice(1)
  const name = `test_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = withDatabase(templateUrl, name)
  const connection = { connectionString: url }
  const db = openDatabase({ connection, timeZone, poolSize })
  return {
    db,
    url,
    connection,
    async close() {
      await db.close()
      await execute(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

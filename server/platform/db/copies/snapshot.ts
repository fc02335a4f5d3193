import pg from 'pg'
import { createQueryableOnClient } from '#server/platform/db/client.ts'
import type { AppliedMigration } from '#server/platform/db/migrate.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { configureCopySession, listSequences, listTables, type Sequence, type Table } from './tables.ts'
import { assertDatabaseNotMoved } from './write-fence.ts'

/** Consistent snapshot of a database that remains valid during a long read. */
export type Snapshot = {
  client: pg.Client
  takenAt: Date
  migrations: AppliedMigration[]
  tables: Table[]
  sequences: Sequence[]
  /** last entry of the audit log; null if the log is empty */
  recordHead: { number: number; hash: string } | null
}

const beginReading = (client: pg.Client): Promise<unknown> =>
  client.query('begin isolation level repeatable read read only')

/**
 * Runs `work` on a snapshot of the portal's database, which may be in use.
 * @param begin statement that starts the transaction
 * @throws StartError if the database has never been used by a portal
 */
export async function withSnapshot<Result>(
  connection: pg.ClientConfig,
  work: (snapshot: Snapshot) => Promise<Result>,
  begin: (client: pg.Client) => Promise<unknown> = beginReading,
): Promise<Result> {
  const client = new pg.Client(connection)
  // After the connection is lost, the pending statement fails and reports the error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await configureCopySession(client)
    await begin(client)
    // The first statement takes the snapshot, so its timestamp is the time of the snapshot.
    const { rows } = await client.query<{ takenAt: Date; isThere: boolean; hasRecord: boolean }>(
      `select clock_timestamp() as "takenAt", to_regclass('migrations') is not null as "isThere",
        to_regclass('office_record') is not null as "hasRecord"`,
    )
    const [{ takenAt, isThere, hasRecord }] = rows as [(typeof rows)[0]]
    await assertDatabaseNotMoved(createQueryableOnClient(client))
    if (!isThere) throw new StartError('The database is empty: there is nothing to save')
    const { rows: migrations } = await client.query<AppliedMigration>(
      'select number, name, checksum from migrations order by number',
    )
    const { rows: heads } = hasRecord
      ? await client.query<{ number: number; hash: string }>(
          `select number::int, encode(hash, 'hex') as hash from office_record order by number desc limit 1`,
        )
      : { rows: [] }
    const sequences = await listSequences(client)
    const tables = await listTables(client)
    return await work({ client, takenAt, migrations, tables, sequences, recordHead: heads[0] ?? null })
  } finally {
    // A lost connection has been reported by the failed statement.
    await client.end().catch(() => undefined)
  }
}

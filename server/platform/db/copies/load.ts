import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { createQueryableOnClient, type Queryable } from '#server/platform/db/client.ts'
import { columnTypes } from '#server/platform/db/column-types.ts'
import { type AppliedMigration, migrateTo } from '#server/platform/db/migrate.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import {
  computeTableChecksum,
  configureCopySession,
  createTableChecksumStream,
  listTables,
  type Sequence,
  type Table,
  type TableContent,
  truncateTables,
  withoutTriggers,
  writeSequences,
  writeTable,
} from './tables.ts'

/** Consistent snapshot of a portal's rows, read from a backup or another database. */
export type CopySource = {
  /** migrations applied to the source, in order */
  migrations: AppliedMigration[]
  tables: Table[]
  sequences: Sequence[]
  /** rows of a table in PostgreSQL's COPY text format, one per line */
  open(table: Table): Promise<Readable>
  /** compares a table with the counts and checksums recorded by the source. @throws StartError if they differ */
  verify(content: TableContent): void
}

export type CopyTotals = { tables: number; rows: number; bytes: number }

type LoadHooks = {
  /** called when the database has been verified to be empty, before anything is written */
  onBegin?: () => Promise<void>
  onProgress?: ReportProgress
  /** further work within the same transaction */
  finish?: (tx: Queryable) => Promise<void>
}

/**
 * Writes a portal's rows into an empty database, reads them back and compares them, all in one transaction. See
 * docs/decisions/0080.
 * @throws StartError if the database is not empty or the rows differ
 */
export async function loadPortal(
  connection: pg.ClientConfig,
  source: CopySource,
  timeZone: string,
  { onBegin, onProgress, finish }: LoadHooks = {},
): Promise<CopyTotals> {
  const client = new pg.Client({ ...connection, types: columnTypes })
  // After the connection is lost, the pending statement fails and reports the error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await configureCopySession(client)
    await client.query('begin')
    await refuseFull(client)
    await onBegin?.()
    const tx = createQueryableOnClient(client)
    await migrateTo(tx, source.migrations)
    const tables = matchTables(await listTables(client), source.tables)
    await withoutTriggers(client, tables, async () => {
      await truncateTables(client, tables)
      for (const [index, table] of tables.entries()) {
        onProgress?.(`copying tables ${index + 1} of ${tables.length}`)
        await copyTable(client, source, table)
      }
    })
    await writeSequences(client, source.sequences)
    const loaded = { tables: tables.length, rows: 0, bytes: 0 }
    for (const [index, table] of tables.entries()) {
      onProgress?.(`comparing tables ${index + 1} of ${tables.length}`)
      const content = await computeTableChecksum(client, table)
      source.verify(content)
      loaded.rows += content.rows
      loaded.bytes += content.bytes
    }
    await client.query('select set_config($1, $2, true)', ['TimeZone', timeZone])
    await finish?.(tx)
    await client.query('commit')
    return loaded
  } finally {
    // Closing the connection rolls back a transaction that was not committed.
    // A lost connection has been reported by the failed statement.
    await client.end().catch(() => undefined)
  }
}

async function refuseFull(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  if (rows[0]) {
    throw new StartError(
      `The database has tables already (${rows[0].name}): rows are written into an empty one only. ` +
        'Name another database or DATA_DIR',
    )
  }
}

/**
 * Sorts the tables so that foreign keys are satisfied.
 * @throws StartError if a table or column is missing on either side
 */
function matchTables(here: Table[], there: Table[]): Table[] {
  const known = new Map(there.map(table => [table.name, table]))
  const differing = here.find(({ name, columns }) => String(known.get(name)?.columns) !== String(columns))
  const unknown = there.find(({ name }) => !here.some(table => table.name === name))
  const wrong = differing ?? unknown
  if (wrong) throw new StartError(`The table ${wrong.name} has other columns than the migrations of this portal make`)
  return here
}

async function copyTable(client: pg.Client, source: CopySource, table: Table): Promise<void> {
  const counter = createTableChecksumStream()
  await pipeline(await source.open(table), counter, writeTable(client, table))
  source.verify({ ...table, ...counter.result() })
}

import type pg from 'pg'
import { createQueryableOnClient } from '#server/platform/db/client.ts'
import { isLockTimeout } from '#server/platform/db/unavailable.ts'
import type { ReportProgress } from '#server/platform/process/progress.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { type CopySource, type CopyTotals, loadPortal } from './load.ts'
import { type Snapshot, withSnapshot } from './snapshot.ts'
import { readTable, type TableContent } from './tables.ts'
import { addWriteFence } from './write-fence.ts'

/** Copies all rows of a database into an empty one and compares each row. @throws StartError if a row differs */
export const copyPortal = (
  from: pg.ClientConfig,
  to: pg.ClientConfig,
  timeZone: string,
  onProgress: ReportProgress,
): Promise<CopyTotals> => withSnapshot(from, snapshot => loadPortal(to, sourceOf(snapshot), timeZone, { onProgress }))

/**
 * Copies a database like `copyPortal`, but locks all its tables against writes during the copy and permanently fences
 * it afterwards.
 * @param target name of the new database, shown to operators who start a portal on the old one
 * @throws StartError if a portal or command is using the old database
 */
export const movePortal = (
  from: pg.ClientConfig,
  to: pg.ClientConfig,
  timeZone: string,
  target: string,
  onProgress?: ReportProgress,
): Promise<CopyTotals> =>
  withSnapshot(
    from,
    async snapshot => {
      const { client } = snapshot
      const loaded = await loadPortal(to, sourceOf(snapshot), timeZone, {
        onProgress,
        async finish() {
          await refuseRunning(client)
          await addWriteFence(createQueryableOnClient(client), target)
        },
      })
      await client.query('commit').catch(cause => {
        throw new StartError(
          `All rows are in ${target}, but the old database could not be closed: start no portal on it, and use ${target} from now on`,
          { cause },
        )
      })
      return loaded
    },
    beginMoving,
  )

/** Maximum wait in ms for open transactions. */
const LOCK_TIMEOUT_MS = 10_000

async function beginMoving(client: pg.Client): Promise<void> {
  await refuseRunning(client)
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  )
  await client.query('begin isolation level repeatable read')
  if (rows.length === 0) return
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  // The tables are locked before the snapshot is taken, so it contains everything committed so far, and nothing can be
  // written afterwards.
  await client
    .query(`lock table ${rows.map(({ name }) => name).join(', ')} in share row exclusive mode`)
    .catch(cause => {
      if (!isLockTimeout(cause)) throw cause
      throw new StartError('Stop the portal first: a transaction in the database does not end', { cause })
    })
}

/**
 * Aborts if any of the portal's processes is connected to the database.
 * @throws StartError naming these processes
 */
async function refuseRunning(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ label: string }>(`
    select distinct application_name as label from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name !~ '^(?:\\d+ )?move$|^$'`)
  if (rows.length > 0)
    throw new StartError(
      `Stop the portal first: ${rows.map(({ label }) => label).join(', ')} uses the database. Nothing was moved`,
    )
}

/**
 * Creates a source that streams the rows of a snapshot. It records a checksum when a table is first read, and `verify`
 * compares the second read with it.
 */
function sourceOf(snapshot: Snapshot): CopySource {
  const read = new Map<string, TableContent>()
  return {
    ...snapshot,
    open: async table => readTable(snapshot.client, table),
    verify(content) {
      const first = read.get(content.name)
      if (first === undefined) read.set(content.name, content)
      else if (first.sha256 !== content.sha256)
        throw new StartError(`The rows of table ${content.name} changed while they were copied: nothing was copied`)
    },
  }
}

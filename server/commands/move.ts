import { commandLine, readConfigForDatabase } from '#server/platform/config/config.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { connectDatabase, withSingleConnection } from '#server/platform/db/connect.ts'
import { movePortal } from '#server/platform/db/copies/copy.ts'
import { removeWriteFence } from '#server/platform/db/copies/write-fence.ts'
import { describeCopyTotals, runTool } from '#server/platform/db/run-tool.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { StartError, UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('move', 'DATABASE_URL')}, or ${commandLine('move', '--undo')}`

/**
 * `npm run move`: copies the configured database row by row to an empty one while no portal is running. Afterwards the
 * old database is read-only, and no portal starts on it. `--undo` makes the old database usable again; changes made in
 * the new database are not copied back.
 */
export async function run(args: string[]): Promise<void> {
  const [target, ...others] = args
  if (target === undefined || others.length > 0) throw new UsageError(USAGE)
  await (target === '--undo' ? undo() : move(target))
}

async function move(target: string): Promise<void> {
  const to = readConfigForDatabase(target)
  const { host, pathname } = new URL(to.databaseUrl ?? target)
  await runTool(
    'move',
    async (_, { timeZone }, connection) => {
      const opened = await connectDatabase(to, { role: 'tool', processLabel: 'move' })
      try {
        const amount = await withProgress(report =>
          movePortal(connection, opened.connection, timeZone, host + pathname, report),
        )
        console.log(
          `${describeCopyTotals(amount)} moved, each row compared. The old database takes no writes any more.`,
        )
        console.log('Start the portal with the new DATABASE_URL.')
      } finally {
        await opened.close()
      }
    },
    { isMigrating: false, role: 'portal' },
  )
}

/** @returns false if the database was not fenced */
async function reopen(db: Queryable): Promise<boolean> {
  // A statement, since connection poolers reject startup options.
  await db.execute(sql`set default_transaction_read_only = off`)
  await db.execute(sql`begin`)
  const wasFenced = await removeWriteFence(db)
  await db.execute(sql`commit`)
  return wasFenced
}

const undo = (): Promise<void> =>
  runTool(
    'move',
    async (_db, _config, connection) => {
      if (!(await withSingleConnection(connection, reopen)))
        throw new StartError('The rows of this database were not moved')
      console.log('The database takes writes again. What was written to the other one since then stays there.')
    },
    { isMigrating: false, role: 'portal', mayBeMoved: true },
  )

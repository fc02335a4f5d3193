import { constants } from 'node:os'
import type pg from 'pg'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Database } from './client.ts'
import { connectDatabase } from './connect.ts'
import type { CopyTotals } from './copies/load.ts'
import { migrate } from './migrate.ts'
import { explainUnavailable } from './unavailable.ts'

type ToolOptions = {
  /** false: migrations are not applied */
  isMigrating?: boolean
  /** 'portal': no other portal may be running */
  role?: 'tool' | 'portal'
  /** whether to accept a database whose rows have been moved to another database by `npm run move` */
  mayBeMoved?: boolean
}

/**
 * Runs a command on the migrated database. A signal rolls back uncommitted changes.
 * @throws StartError if the database cannot be reached
 */
export async function runTool<Result>(
  processLabel: string,
  work: (db: Database, config: Config, connection: pg.ClientConfig) => Promise<Result>,
  { isMigrating = true, role = 'tool', mayBeMoved = false }: ToolOptions = {},
): Promise<Result> {
  const config = readConfig()
  const opening = connectDatabase(config, { role, processLabel, mayBeMoved })
  let ending: Promise<never> | null = null
  const end = async (signal: NodeJS.Signals): Promise<never> => {
    // Nothing needs to be closed if the database was never opened.
    await opening.then(({ abandon }) => abandon()).catch(() => {})
    process.exit(128 + constants.signals[signal])
  }
  // Ctrl+C sends the signal twice, because npm forwards it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (ending ??= end(signal)))

  const { pools, connection, close } = await opening
  try {
    if (isMigrating) await migrate(pools.jobs)
    return await work(pools.jobs, config, connection)
  } catch (error) {
    await ending
    throw explainUnavailable(error)
  } finally {
    await close()
  }
}

/** Describes an amount of data, as in '51 tables, 12,345 rows, 4.2 MB'. */
export const describeCopyTotals = ({ tables, rows, bytes }: CopyTotals): string =>
  `${tables} tables, ${rows.toLocaleString('en')} rows, ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

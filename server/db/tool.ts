import { constants } from 'node:os'
import type pg from 'pg'
import { type Config, readConfig } from '#server/config.ts'
import { StartError } from '#server/start-error.ts'
import { type Database, isUnavailable } from './client.ts'
import { connectDatabase } from './connect.ts'
import { migrate } from './migrate.ts'

type ToolOptions = {
  /** false: the database stays as it is */
  isMigrating?: boolean
  /** 'portal': no other portal may be at work */
  role?: 'tool' | 'portal'
  /** whether the command works on a database whose rows were moved to another one */
  mayBeMoved?: boolean
}

/**
 * Runs a command on the database, brought up to date; a signal undoes what is not committed.
 * @throws StartError without a database
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
    // What did not open need not be closed.
    await opening.then(({ abandon }) => abandon()).catch(() => {})
    process.exit(128 + constants.signals[signal])
  }
  // The terminal's Ctrl+C arrives twice: npm hands it on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (ending ??= end(signal)))

  const { pools, connection, close } = await opening
  try {
    if (isMigrating) await migrate(pools.jobs)
    return await work(pools.jobs, config, connection)
  } catch (error) {
    await ending
    throw isUnavailable(error) ? new StartError(`The database went away: ${error.message}`, { cause: error }) : error
  } finally {
    await close()
  }
}

import { constants } from 'node:os'
import { type Config, readConfig } from '#server/config.ts'
import { StartError } from '#server/start-error.ts'
import { type Database, isUnavailable } from './client.ts'
import { connectDatabase } from './connect.ts'
import { migrate } from './migrate.ts'

/**
 * Runs a command on the portal's database, brought up to date, whether a portal runs or not. A signal ends it at once: what is not
 * committed is undone, and an embedded server that nobody else uses stops.
 * @throws StartError when the database cannot be reached, or goes away meanwhile
 */
export async function runTool<Result>(
  processLabel: string,
  work: (db: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig()
  const opening = connectDatabase(config, { role: 'tool', processLabel })
  let ending: Promise<never> | null = null
  const end = async (signal: NodeJS.Signals): Promise<never> => {
    await opening.then(({ abandon }) => abandon()).catch(() => {})
    process.exit(128 + constants.signals[signal])
  }
  // The terminal's Ctrl+C arrives twice: npm hands it on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (ending ??= end(signal)))

  const { pools, close } = await opening
  try {
    await migrate(pools.jobs)
    return await work(pools.jobs, config)
  } catch (error) {
    await ending
    throw isUnavailable(error) ? new StartError(`The database went away: ${error.message}`, { cause: error }) : error
  } finally {
    await close()
  }
}

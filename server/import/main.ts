import { readConfig } from '#server/config.ts'
import { connectDatabase } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { readArguments, runImport, UsageError } from './command.ts'

/** `npm run import`. Exit status 0 done, 1 nothing changed because of what is wrong in the folder, 2 no such command line. */
export async function run(args: string[]): Promise<void> {
  try {
    const options = await readArguments(args)
    const config = readConfig()
    const { db, close } = await connectDatabase(config, { role: 'tool', processLabel: 'import' })
    try {
      await migrate(db)
      process.exitCode = await runImport(db, config, options, process)
    } finally {
      await close()
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

import { runTool } from '#server/db/tool.ts'
import { readArguments, runImport } from './command.ts'

/** `npm run import`. Exit status: 0 success, 1 folder rejected because of problems, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  const options = await readArguments(args)
  process.exitCode = await runTool('import', (db, config) => runImport(db, config, options, process))
}

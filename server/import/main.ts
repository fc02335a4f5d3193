import { runTool } from '#server/db/tool.ts'
import { readArguments, runImport } from './command.ts'

/** `npm run import`. Exit status 0 done, 1 nothing changed because of what is wrong in the folder, 2 no such command line. */
export async function run(args: string[]): Promise<void> {
  const options = await readArguments(args)
  process.exitCode = await runTool('import', (db, config) => runImport(db, config, options, process))
}

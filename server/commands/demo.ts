import { removeDemoAccounts } from '#server/features/programme/demo-accounts.ts'
import { commandLine } from '#server/platform/config/config.ts'
import { runTool } from '#server/platform/db/run-tool.ts'
import { UsageError } from '#server/platform/process/start-error.ts'

/** `npm run demo -- --remove` removes the demo programme. Exit status: 0 success, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  if (args.join(' ') !== '--remove') throw new UsageError(`Usage: ${commandLine('demo', '--remove')}`)
  const removed = await runTool('demo', (db, { region }) => removeDemoAccounts(db, region))
  console.log(removed === 0 ? 'There are no demo accounts.' : `Removed ${removed} demo accounts.`)
}

import { runTool } from '#server/db/run-tool.ts'
import { UsageError } from '#server/errors/start-error.ts'
import { removeDemoAccounts } from '#server/import/demo-accounts.ts'

/** `npm run demo -- --remove` removes the demo programme. Exit status: 0 success, 2 invalid command line. */
export async function run(args: string[]): Promise<void> {
  if (args.join(' ') !== '--remove') throw new UsageError('Usage: npm run demo -- --remove')
  const removed = await runTool('demo', (db, { region }) => removeDemoAccounts(db, region))
  console.log(removed === 0 ? 'There are no demo accounts.' : `Removed ${removed} demo accounts.`)
}

import { readConfigWith } from '#server/config.ts'
import { connectDatabase } from '#server/db/connect.ts'
import { copyPortal } from '#server/db/copies/copy.ts'
import type { Snapshot } from '#server/db/copies/save.ts'
import { runTool } from '#server/db/tool.ts'
import { StartError, UsageError } from '#server/start-error.ts'
import { describeAmount } from './words.ts'

/** `npm run move`: from the database of the settings to an empty one, row by row. The old one stays; the portal has to be stopped. */
export async function run(args: string[]): Promise<void> {
  const [target, ...others] = args
  if (target === undefined || others.length > 0) throw new UsageError('Usage: npm run move -- DATABASE_URL')
  const to = readConfigWith(target)
  await runTool(
    'move',
    async (_, { timeZone }, connection) => {
      const opened = await connectDatabase(to, { role: 'tool', processLabel: 'move' })
      try {
        const amount = await copyPortal(connection, opened.connection, timeZone, refuseRunning)
        console.log(`${describeAmount(amount)} moved, each row compared. The old database is as it was.`)
        console.log('Start the portal with the new DATABASE_URL, and on no machine with the old one.')
      } finally {
        await opened.close()
      }
    },
    { isMigrating: false, role: 'portal' },
  )
}

/** What would be written meanwhile would stay behind. @throws StartError */
async function refuseRunning({ client }: Snapshot): Promise<void> {
  const { rows } = await client.query<{ label: string }>(`
    select distinct application_name as label from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name !~ '^(?:\\d+ )?move$|^$'`)
  if (rows.length > 0)
    throw new StartError(`Stop the portal first: ${rows.map(({ label }) => label).join(', ')} uses the database`)
}

import { readConfigWith } from '#server/config.ts'
import { connectDatabase } from '#server/db/connect.ts'
import { runTool } from '#server/db/tool.ts'
import { StartError } from '#server/start-error.ts'
import { loadPortal, type Source } from './load.ts'
import { type Snapshot, withSnapshot } from './save.ts'
import { readTable, type TableContent } from './tables.ts'
import { describeAmount } from './words.ts'

/**
 * `npm run move`: from the database of the settings to an empty one, compared row by row; the old one stays as it is. The portal has
 * to be stopped. Exit status 0 done, 1 nothing changed, 2 no such command line.
 */
export async function run(args: string[]): Promise<void> {
  const [target, ...others] = args
  if (target === undefined || others.length > 0) {
    console.error('Usage: npm run move -- DATABASE_URL')
    process.exitCode = 2
    return
  }
  const to = readConfigWith(target)
  await runTool(
    'move',
    async (_, { timeZone }, connection) => {
      const opened = await connectDatabase(to, { role: 'tool', processLabel: 'move' })
      try {
        const amount = await withSnapshot(connection, async snapshot => {
          await refuseRunning(snapshot)
          return loadPortal(opened.connection, sourceOf(snapshot), timeZone)
        })
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
    where datname = current_database() and pid <> pg_backend_pid() and application_name not in ('', 'move')`)
  if (rows.length > 0)
    throw new StartError(`Stop the portal first: ${rows.map(({ label }) => label).join(', ')} uses the database`)
}

/** What is read goes on at once; the first reading of a table says what the second has to find. */
function sourceOf(snapshot: Snapshot): Source {
  const read = new Map<string, TableContent>()
  return {
    ...snapshot,
    open: async table => readTable(snapshot.client, table),
    verify(content) {
      const first = read.get(content.name)
      if (first === undefined) read.set(content.name, content)
      else if (first.sha256 !== content.sha256)
        throw new StartError(`The table ${content.name} came with other rows than were read: nothing was moved`)
    },
  }
}

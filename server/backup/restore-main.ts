import { resolve } from 'node:path'
import { folderOfCaller } from '#server/config.ts'
import { loadPortal } from '#server/db/copies/load.ts'
import { migrateWithin } from '#server/db/migrate.ts'
import { runTool } from '#server/db/tool.ts'
import { UsageError } from '#server/start-error.ts'
import { explainArchiveError, openArchive } from './archive.ts'
import { deleteAgain, endLogins } from './deleted-accounts.ts'
import { describeAmount } from './words.ts'

/** `npm run restore`: a backup into an empty database, compared row by row. */
export async function run(args: string[]): Promise<void> {
  const [path, ...others] = args
  if (path === undefined || others.length > 0) throw new UsageError('Usage: npm run restore -- FILE')
  const file = resolve(folderOfCaller(), path)
  const archive = await openArchive(file)
  try {
    await runTool(
      'restore',
      async (_, { dataDir, region, timeZone }, connection) => {
        let deleted = 0
        const amount = await loadPortal(connection, archive, timeZone, async tx => {
          // Of an older version: what follows speaks of the tables of this one.
          await migrateWithin(tx)
          await endLogins(tx)
          deleted = await deleteAgain(tx, dataDir, archive.takenAt, region)
        })
        console.log(`${file} of ${archive.takenAt.toISOString()}: ${describeAmount(amount)}, each row compared.`)
        console.log(
          `Accounts deleted since then, by the list ${dataDir}/deleted-accounts: ${deleted}, deleted again. Everybody logs in anew.`,
        )
      },
      { isMigrating: false },
    )
  } catch (error) {
    throw explainArchiveError(error, file)
  } finally {
    archive.close()
  }
}

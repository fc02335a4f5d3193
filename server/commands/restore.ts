import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Archive, explainArchiveError, openArchive } from '#server/operations/backup/archive.ts'
import {
  completeCommittedRestore,
  completeRestore,
  markRestoreStarted,
} from '#server/operations/backup/backup-state.ts'
import {
  deleteSessionsAndLinks,
  findHighestDeletedAccountId,
  repeatAccountDeletions,
} from '#server/operations/backup/deleted-accounts.ts'
import { BACKUP_KEY_FILE, publicKeyOf, readSigningKey } from '#server/operations/backup/signature.ts'
import { callerWorkingDirectory, commandLine, findOptionConsumedByNpm } from '#server/platform/config/config.ts'
import { loadPortal } from '#server/platform/db/copies/load.ts'
import { advanceSequences } from '#server/platform/db/copies/tables.ts'
import { migrateInTransaction } from '#server/platform/db/migrate.ts'
import { describeCopyTotals, runTool } from '#server/platform/db/run-tool.ts'
import { resumeOutgoingMessages, suspendOutgoingMessages } from '#server/platform/outbox/outbox.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { StartError, UsageError } from '#server/platform/process/start-error.ts'

const USAGE = `Usage: ${commandLine('restore', 'FILE [--release] [--key PUBLIC_KEY | --unsigned]')}`
const OPTIONS = {
  release: { type: 'boolean', default: false },
  key: { type: 'string' },
  unsigned: { type: 'boolean', default: false },
} as const

type Wish = {
  path: string
  /**
   * send suspended e-mails, push messages and webhook events immediately, because this is a recovery and not a drill
   */
  isReleased: boolean
  /** public key that is trusted in addition to the key in DATA_DIR */
  key: string | null
  isUnsignedAccepted: boolean
}

function readWish(args: string[]): Wish | null {
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
    const [path, ...others] = positionals
    if (path === undefined || others.length > 0 || findOptionConsumedByNpm(Object.keys(OPTIONS))) return null
    return { path, isReleased: values.release, key: values.key ?? null, isUnsignedAccepted: values.unsigned }
  } catch {
    // Invalid command line: the caller prints the usage.
    return null
  }
}

/**
 * Checks the backup's signature.
 * @throws StartError unless the backup is signed with a trusted key or unsigned backups are accepted
 */
async function requireTrusted(file: string, { signature }: Archive, dataDir: string, wish: Wish): Promise<void> {
  if (wish.isUnsignedAccepted) return
  const refuse = (reason: string, advice: string): never => {
    throw new StartError(`${file} ${reason}. ${advice}`)
  }
  const unsigned = `To restore it nevertheless: ${commandLine('restore', 'FILE --unsigned')}`
  if (signature === null) return refuse('is not signed: nothing proves that it is as a portal wrote it', unsigned)
  if (!signature.isValid) return refuse('was changed: its signature does not fit its content', unsigned)
  const own = await readSigningKey(dataDir)
  const trusted = [wish.key?.toLowerCase(), own && publicKeyOf(own)]
  const ownFile = `${dataDir}/${BACKUP_KEY_FILE}`
  const doubt = own ? `is not that in ${ownFile}` : `nothing here proves: there is no key in ${ownFile}`
  if (!trusted.includes(signature.publicKey))
    refuse(
      `is signed with the key ${signature.publicKey}, which ${wish.key === null ? doubt : 'is not that of --key'}`,
      `If it is the key that backup printed: ${commandLine('restore', 'FILE --key PUBLIC_KEY')}`,
    )
}

/** `npm run restore`: restores a signed backup into an empty database and compares each row. */
export async function run(args: string[]): Promise<void> {
  const wish = readWish(args)
  if (wish === null) throw new UsageError(USAGE)
  const file = resolve(callerWorkingDirectory(), wish.path)
  const archive = await openArchive(file)
  try {
    await runTool(
      'restore',
      async (db, config, connection) => {
        const { dataDir, region, timeZone } = config
        await requireTrusted(file, archive, dataDir, wish)
        const earlier = await completeCommittedRestore(db, config)
        if (earlier !== null) {
          if (earlier !== file) throw new StartError(`The database contains ${earlier}, whose restore was complete`)
          if (wish.isReleased) await resumeOutgoingMessages(db)
          console.log(`${earlier} had been restored completely when it was interrupted: the portal can start.`)
          return
        }
        let deleted = 0
        const amount = await withProgress(onProgress =>
          loadPortal(connection, archive, timeZone, {
            onProgress,
            onBegin: () => markRestoreStarted(config, file),
            async finish(tx) {
              // Backups of older versions are migrated first, because the following statements use the current schema.
              await migrateInTransaction(tx)
              await deleteSessionsAndLinks(tx)
              await advanceSequences(tx, { web_users_id_seq: await findHighestDeletedAccountId(dataDir) })
              deleted = await repeatAccountDeletions(tx, dataDir, archive.takenAt, region)
              if (!wish.isReleased) await suspendOutgoingMessages(tx)
            },
          }),
        )
        await completeRestore(db, dataDir)
        console.log(`${file} of ${archive.takenAt.toISOString()}: ${describeCopyTotals(amount)}, each row compared.`)
        console.log(
          `Accounts deleted since then, by the list ${dataDir}/deleted-accounts: ${deleted}, deleted again. Everybody logs in anew.`,
        )
        console.log(
          wish.isReleased
            ? 'Mails, pushes and webhook calls that waited leave with the next start.'
            : `Mails, pushes and webhook calls wait. When this is the portal that people use: ${commandLine('mails', '--release')}`,
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

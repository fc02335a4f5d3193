import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { findLastAuditLogEntry } from '#server/office/frame/audit-log-repository.ts'
import type { Config } from '#server/platform/config/config.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { type DataFile, writeDataFile } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const FILE = 'last-backup'

/** Time of the last verified backup recorded in this DATA_DIR; null if there is none or the file cannot be read. */
export async function readLastBackup(dataDir: string): Promise<Date | null> {
  // A missing or unreadable file deliberately triggers the alert for missing backups.
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime()) ? null : at
}

export const recordLastBackup = (dataDir: string, at: Date): Promise<void> =>
  writeDataFile(dataDir, FILE, `${at.toISOString()}\n`)

/** Marker file in DATA_DIR, present from the start of a restore until it succeeds: backup and database, a line each. */
const MARK: DataFile = 'restore-unfinished'

type DatabaseSettings = Pick<Config, 'dataDir' | 'databaseUrl'>

/** The database of a restore, without user and password. */
function nameOf({ databaseUrl }: DatabaseSettings): string {
  if (databaseUrl === null) return 'DATA_DIR'
  const { host, pathname, searchParams } = new URL(databaseUrl)
  return `${searchParams.get('host') ?? host}${pathname}`
}

export const markRestoreStarted = (settings: DatabaseSettings, file: string): Promise<void> =>
  writeDataFile(settings.dataDir, MARK, `${file}\n${nameOf(settings)}\n`)
const markRestoreFinished = (dataDir: string): Promise<void> => rm(join(dataDir, MARK), { force: true })

/** Finds the backup whose restore into the configured database was started but not finished. */
async function findUnfinishedRestore(settings: DatabaseSettings): Promise<string | null> {
  const text = await readFile(join(settings.dataDir, MARK), 'utf8').catch(error => {
    if (errorFactsOf(error).code === 'ENOENT') return ''
    throw error
  })
  const [file = '', database] = text.split('\n')
  // The mark of a drill is about another database. Earlier versions did not name it.
  return file !== '' && (!database || database === nameOf(settings)) ? file : null
}

/** Completes a restore whose rows have been committed: what remains is in DATA_DIR. */
export async function completeRestore(db: Queryable, dataDir: string): Promise<void> {
  const head = await findLastAuditLogEntry(db)
  if (head) await writeAuditAnchor(dataDir, head)
  await markRestoreFinished(dataDir)
}

/**
 * Completes an interrupted restore that has committed its rows. A restore begins with an empty database and commits all
 * rows at once, so any table means that it has.
 * @returns the backup that was restored; null if no restore was interrupted, or none of its rows are there
 */
export async function completeCommittedRestore(db: Queryable, settings: DatabaseSettings): Promise<string | null> {
  const file = await findUnfinishedRestore(settings)
  if (file === null || !(await db.one<{ yes: boolean }>(sql`select to_regclass('migrations') is not null as yes`)).yes)
    return null
  await completeRestore(db, settings.dataDir)
  return file
}

/**
 * Prevents the portal from starting after an interrupted restore, because it would load the demo programme into the
 * empty database.
 * @throws StartError if a restore was started but committed nothing
 */
export async function assertNoUnfinishedRestore(db: Queryable, settings: DatabaseSettings): Promise<void> {
  if ((await completeCommittedRestore(db, settings)) !== null) return
  const file = await findUnfinishedRestore(settings)
  if (file !== null)
    throw new StartError(
      `The restore of ${file} did not finish, its database is empty: run it again, or remove ${join(settings.dataDir, MARK)} to begin with an empty portal`,
    )
}

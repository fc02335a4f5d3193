import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Marker file in DATA_DIR, present from the start of a restore until it succeeds. */
const MARK: DataFile = 'restore-unfinished'

export const markRestoreStarted = (dataDir: string, file: string): Promise<void> =>
  writeDataFile(dataDir, MARK, `${file}\n`)
export const markRestoreFinished = (dataDir: string): Promise<void> => rm(join(dataDir, MARK), { force: true })

/**
 * Prevents the portal from starting after an interrupted restore, because it would load the demo programme into the
 * empty database.
 * @throws StartError if a restore was started but did not succeed
 */
export async function assertNoUnfinishedRestore(dataDir: string): Promise<void> {
  const file = await readFile(join(dataDir, MARK), 'utf8').catch(error => {
    if (errorFactsOf(error).code === 'ENOENT') return null
    throw error
  })
  if (file !== null)
    throw new StartError(
      `The restore of ${file.trim()} did not finish: run it again, or remove ${join(dataDir, MARK)} to begin with an empty portal`,
    )
}

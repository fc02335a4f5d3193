import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDataFile } from '#server/runtime/data-files.ts'

const FILE = 'last-backup'

/** Time of the last verified backup of this DATA_DIR; null: never, or the file is unreadable. */
export async function readLastBackup(dataDir: string): Promise<Date | null> {
  // A missing or unreadable file triggers the alert for missing backups, as intended.
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime()) ? null : at
}

export const noteLastBackup = (dataDir: string, at: Date): Promise<void> =>
  writeDataFile(dataDir, FILE, `${at.toISOString()}\n`)

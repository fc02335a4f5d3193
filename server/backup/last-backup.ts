import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDataFile } from '#server/data-files.ts'

const FILE = 'last-backup'

/** When the last backup of this DATA_DIR was written and read back; null: never, or the file cannot be read. */
export async function readLastBackup(dataDir: string): Promise<Date | null> {
  // Without the file, or with one that cannot be read, the alarm for a missing backup is right.
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime()) ? null : at
}

export const noteLastBackup = (dataDir: string, at: Date): Promise<void> =>
  writeDataFile(dataDir, FILE, `${at.toISOString()}\n`)

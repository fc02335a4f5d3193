import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDataFile } from '#server/data-files.ts'

const FILE = 'last-backup'

/** When the last backup of this DATA_DIR was written and read back; null: never, or the file cannot be read. */
export async function readLastBackup(dataDir: string): Promise<Date | null> {
  const at = new Date(
    await readFile(join(dataDir, FILE), 'utf8').then(
      text => text.trim(),
      () => '',
    ),
  )
  return Number.isNaN(at.getTime()) ? null : at
}

export const noteLastBackup = (dataDir: string, at: Date): Promise<void> =>
  writeDataFile(dataDir, FILE, `${at.toISOString()}\n`)

import { access, constants, lchown, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorFactsOf } from './error-facts.ts'
import { StartError } from './start-error.ts'

/** Files that the portal writes to DATA_DIR, apart from folders and the database. */
export const DATA_FILES = [
  'record-head',
  'deleted-accounts',
  'backup-key',
  'last-backup',
  'restore-unfinished',
  'upgrade-unfinished',
] as const
export type DataFile = (typeof DATA_FILES)[number]

/**
 * Writes a file in DATA_DIR atomically. Only its owner can read it. A file that root writes gets the owner of DATA_DIR,
 * because a portal that runs as another user must be able to read and replace it.
 * @param isNew fail with EEXIST if the file already exists
 */
export async function writeDataFile(
  dataDir: string,
  name: DataFile,
  content: string,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, name)
  // The name includes the process id, because commands and processes may write concurrently.
  const draft = `${file}.new-${process.pid}`
  // Removes a temporary file that a killed process with the same id left behind. A symbolic link planted by another
  // user is removed, too, because it would redirect what root writes.
  await rm(draft, { force: true })
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(content)
      if (process.getuid?.() === 0) {
        const { uid, gid } = await stat(dataDir)
        await handle.chown(uid, gid)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await (isNew ? link(draft, file) : rename(draft, file))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Changes the owner of the portal's data files, which root or another user may have written, to the given account. */
export async function chownDataFiles(dataDir: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const name of DATA_FILES)
    await lchown(join(dataDir, name), uid, gid).catch(error => {
      if (errorFactsOf(error).code !== 'ENOENT') throw error
    })
}

/**
 * Checks that the portal's files can be read.
 * @throws StartError if a file exists but cannot be read
 */
export async function verifyDataFiles(dataDir: string): Promise<void> {
  for (const name of DATA_FILES) {
    const file = join(dataDir, name)
    await access(file, constants.R_OK).catch(error => {
      // All other errors are reported by the code that uses the file.
      if (!['EACCES', 'EPERM'].includes(errorFactsOf(error).code)) return
      throw new StartError(`${file} cannot be read by this user: give it to the owner of DATA_DIR (chown)`, {
        cause: error,
      })
    })
  }
}

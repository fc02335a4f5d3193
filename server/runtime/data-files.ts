import { access, constants, lchown, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf } from '#server/errors/error-facts.ts'
import { StartError } from '#server/errors/start-error.ts'

/** The files that the portal itself writes into DATA_DIR, beside folders and the database. */
export const DATA_FILES = [
  'record-head',
  'deleted-accounts',
  'backup-key',
  'last-backup',
  'restore-unfinished',
] as const
export type DataFile = (typeof DATA_FILES)[number]

/**
 * Writes a file of DATA_DIR as a whole or not at all, readable for its owner alone. Written by root, it belongs to the owner of
 * DATA_DIR: a portal that runs as another user has to read and replace it.
 * @param isNew a file of this name stays as it is, and the write fails with EEXIST
 */
export async function writeDataFile(
  dataDir: string,
  name: DataFile,
  content: string,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, name)
  // Commands and processes may write at the same time.
  const draft = `${file}.new-${process.pid}`
  // Of a killed process with the same number. A link that another user put there would lead root elsewhere.
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

/** Gives files to the account as which the portal goes on, where root or another user wrote them. */
export async function handOverDataFiles(dataDir: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const name of DATA_FILES)
    await lchown(join(dataDir, name), uid, gid).catch(error => {
      if (factsOf(error).code !== 'ENOENT') throw error
    })
}

/** @throws StartError when one of the files is there and cannot be read */
export async function verifyDataFiles(dataDir: string): Promise<void> {
  for (const name of DATA_FILES) {
    const file = join(dataDir, name)
    await access(file, constants.R_OK).catch(error => {
      // Whatever else is wrong with the folder is reported where it is used.
      if (!['EACCES', 'EPERM'].includes(factsOf(error).code)) return
      throw new StartError(`${file} cannot be read by this user: give it to the owner of DATA_DIR (chown)`, {
        cause: error,
      })
    })
  }
}

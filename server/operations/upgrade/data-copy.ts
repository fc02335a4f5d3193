import { execFile } from 'node:child_process'
import { access, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/platform/process/start-error.ts'

const run = promisify(execFile)

/** The database is exchanged first, so that a crash between two entries leaves a portal with one consistent database. */
const FIRST = 'postgres'
/** Share of the data's size that has to be free for the copy. */
const SPACE_FACTOR = 1.1
const isOwnEntry = (name: string) => !/^(?:before|after)-\d|^lost\+found$/.test(name)
const formatMB = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`

const exists = (path: string) =>
  // Any error means that nothing usable is there.
  access(path).then(
    () => true,
    () => false,
  )

export type DataCopy = {
  /** folder of the finished copy */
  folder: string
  /** copies the data; the portal must be stopped */
  make(): Promise<void>
  discard(): Promise<void>
  /**
   * Replaces the data with the copy; the portal must be stopped.
   * @returns folder with the data that was replaced
   */
  bringBack(): Promise<string>
}

/** Names of the data's files and folders, without copies of earlier upgrades; the database first. */
async function listEntries(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isOwnEntry)
  return names.sort((a, b) => Number(b === FIRST) - Number(a === FIRST))
}

/** @throws StartError if the copy does not fit or could not be exchanged with the data */
async function requireSpace(dataDir: string): Promise<void> {
  const paths = (await listEntries(dataDir)).map(name => join(dataDir, name))
  const { dev } = await stat(dataDir)
  for (const path of paths) {
    const status = await lstat(path)
    if (status.isDirectory() && status.dev !== dev)
      throw new StartError(`${path} is a file system of its own, which cannot be renamed: mount ${dataDir} instead`)
  }
  // -H: an entry that is a symbolic link is copied as the folder that it refers to.
  const { stdout } = paths.length > 0 ? await run('du', ['-sHB1', '--total', ...paths]) : { stdout: '0' }
  const needed = Number.parseInt(stdout.trim().split('\n').at(-1) ?? '', 10) * SPACE_FACTOR
  const { bavail, bsize } = await statfs(dataDir)
  if (needed > bavail * bsize)
    throw new StartError(
      `the copy of ${dataDir} needs ${formatMB(needed)}, but only ${formatMB(bavail * bsize)} are free there`,
    )
}

async function findFreeName(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`
    if (!(await exists(name))) return name
  }
}

/**
 * Prepares a copy of the data inside the data folder, where it can be exchanged by renaming even if the data folder is
 * a mount point or a symbolic link. Removes the incomplete copy of an interrupted upgrade.
 * @param given data folder
 * @throws StartError if there is a complete copy of an interrupted upgrade or too little space
 */
export async function prepareDataCopy(given: string, version: string): Promise<DataCopy> {
  const dataDir = await realpath(given)
  const folder = join(dataDir, `before-${version}`)
  const incomplete = `${folder}.incomplete`
  if (await exists(folder))
    throw new StartError(
      `${folder} has the data from before an upgrade that was interrupted. ` +
        'If the portal serves everything, remove this folder and repeat the command',
    )
  await rm(incomplete, { recursive: true, force: true })
  await requireSpace(dataDir)
  return {
    folder,
    async make() {
      try {
        await mkdir(incomplete, { mode: 0o700 })
        const paths = (await listEntries(dataDir)).map(name => join(dataDir, name))
        // `cp -a` preserves owners, which Node.js does not: PostgreSQL opens only files that it owns.
        if (paths.length > 0) await run('cp', ['-aH', ...paths, incomplete])
        await rename(incomplete, folder)
      } catch (error) {
        await rm(incomplete, { recursive: true, force: true })
        throw error
      }
    },
    discard: () => rm(folder, { recursive: true, force: true }),
    async bringBack() {
      const replaced = await findFreeName(join(dataDir, `after-${version}`))
      await mkdir(replaced, { mode: 0o700 })
      const copied = await listEntries(folder)
      for (const name of new Set([...copied, ...(await listEntries(dataDir))])) {
        const current = join(dataDir, name)
        if (await exists(current)) await rename(current, join(replaced, name))
        if (copied.includes(name))
          await rename(join(folder, name), current).catch(async error => {
            await rename(join(replaced, name), current)
            throw error
          })
      }
      await rmdir(folder)
      return replaced
    },
  }
}

import { execFile } from 'node:child_process'
import { access, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commandLine } from '#server/platform/config/config.ts'
import { type DataFile, writeDataFile } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const run = promisify(execFile)

/** The database is exchanged first, so that a crash between two entries leaves a portal with one consistent database. */
const FIRST = 'postgres'
/** Share of the data's size that has to be free for the copy. */
const SPACE_FACTOR = 1.1
const isOwnEntry = (name: string) => !/^(?:before|after)-\d|^lost\+found$|^upgrade-unfinished/.test(name)
const formatMB = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`

const exists = (path: string) =>
  // Any error means that nothing usable is there.
  access(path).then(
    () => true,
    () => false,
  )

/** Content of the file `upgrade-unfinished`, from the finished copy on until the new or the old release serves. */
export type UnfinishedUpgrade = {
  /** folder of the release before the upgrade */
  release: string
  /** version of the new release */
  version: string
  /** folder of the new release; only with an external database, which is not copied */
  next?: string
  /** while the copy is brought back: folder for the replaced data, and names of what was copied */
  replaced?: string
  copied?: string[]
}
const STATE: DataFile = 'upgrade-unfinished'
const INCOMPLETE = '.incomplete'

/** Removes copies that an interrupted upgrade has not completed or has begun to remove. */
export async function removeIncompleteCopies(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter(name => /^before-\d/.test(name) && name.endsWith(INCOMPLETE))
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** The upgrade of this data folder that was interrupted; null if there is none. */
export async function findUnfinishedUpgrade(dataDir: string): Promise<UnfinishedUpgrade | null> {
  const text = await readFile(join(dataDir, STATE), 'utf8').catch(error => {
    if (errorFactsOf(error).code === 'ENOENT') return null
    throw error
  })
  const state: UnfinishedUpgrade | null = text === null ? null : JSON.parse(text)
  // With a copy it is written just before the copy gets its name.
  return state && (state.next || state.replaced || (await exists(join(dataDir, `before-${state.version}`))))
    ? state
    : null
}

/** Records which upgrade an interrupted command has to go back from. */
export const writeUnfinishedUpgrade = (dataDir: string, state: UnfinishedUpgrade) =>
  writeDataFile(dataDir, STATE, JSON.stringify(state))
export const forgetUnfinishedUpgrade = (dataDir: string) => rm(join(dataDir, STATE), { force: true })

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

/**
 * Bytes that files and folders take on the disk. The portal is running: a file that vanishes meanwhile, such as the draft
 * of an email, makes `du` fail after it has printed the total.
 */
async function measure(paths: string[]): Promise<number> {
  if (paths.length === 0) return 0
  // -H: an entry that is a symbolic link is copied as the folder that it refers to.
  const { stdout } = await run('du', ['-sHB1', '--total', ...paths]).catch(error => {
    if (/^\d+\ttotal$/m.test(String(error.stdout))) return error
    throw error
  })
  return Number.parseInt(stdout.trim().split('\n').at(-1) ?? '', 10)
}

/** @throws StartError if the copy does not fit or could not be exchanged with the data */
async function requireSpace(dataDir: string): Promise<void> {
  const paths = (await listEntries(dataDir)).map(name => join(dataDir, name))
  const { dev } = await stat(dataDir)
  for (const path of paths) {
    const status = await lstat(path).catch(error => {
      // The draft of a file that the running portal has renamed.
      if (errorFactsOf(error).code === 'ENOENT') return null
      throw error
    })
    if (status?.isDirectory() && status.dev !== dev)
      throw new StartError(`${path} is a file system of its own, which cannot be renamed: mount ${dataDir} instead`)
  }
  const needed = (await measure(paths)) * SPACE_FACTOR
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
 * Replaces the data with the copy by renaming. Can be repeated after an interruption at any point: what is still in the
 * copy is not brought back yet.
 */
async function bringBack(dataDir: string, folder: string, state: UnfinishedUpgrade): Promise<string> {
  const replaced = state.replaced ?? (await findFreeName(join(dataDir, `after-${state.version}`)))
  const copied = state.copied ?? (await listEntries(folder))
  await writeUnfinishedUpgrade(dataDir, { ...state, replaced, copied })
  await mkdir(replaced, { recursive: true, mode: 0o700 })
  const waiting = (await exists(folder)) ? await listEntries(folder) : []
  const isBack = (name: string) => copied.includes(name) && !waiting.includes(name)
  for (const name of new Set([...waiting, ...(await listEntries(dataDir))])) {
    const current = join(dataDir, name)
    if (isBack(name)) continue
    const wasThere = await exists(current)
    if (wasThere) await rename(current, join(replaced, name))
    if (waiting.includes(name))
      await rename(join(folder, name), current).catch(async error => {
        if (wasThere) await rename(join(replaced, name), current)
        throw error
      })
  }
  await rm(folder, { recursive: true, force: true })
  await forgetUnfinishedUpgrade(dataDir)
  return replaced
}

/**
 * Completes the way back of an interrupted upgrade.
 * @returns folder with the data that was replaced
 */
export async function bringBackUnfinished(given: string, state: UnfinishedUpgrade): Promise<string> {
  const dataDir = await realpath(given)
  return bringBack(dataDir, join(dataDir, `before-${state.version}`), state)
}

/**
 * Prepares a copy of the data inside the data folder, where it can be exchanged by renaming even if the data folder is
 * a mount point or a symbolic link. Removes the incomplete copy of an interrupted upgrade.
 * @param given data folder
 * @param release folder of the release before the upgrade
 * @throws StartError if there is a complete copy of an interrupted upgrade or too little space
 */
export async function prepareDataCopy(given: string, version: string, release: string): Promise<DataCopy> {
  const dataDir = await realpath(given)
  const folder = join(dataDir, `before-${version}`)
  const incomplete = `${folder}${INCOMPLETE}`
  if (await exists(folder))
    throw new StartError(
      `${folder} has the data from before an upgrade that was interrupted. ` +
        `To go back to them: ${commandLine('upgrade', '--undo')}. ` +
        `If the portal serves everything, remove this folder and ${join(dataDir, STATE)}, and repeat the command`,
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
        await writeUnfinishedUpgrade(dataDir, { release, version })
        await rename(incomplete, folder)
      } catch (error) {
        await rm(incomplete, { recursive: true, force: true })
        throw error
      }
    },
    async discard() {
      // Without its name, the copy is none that an interrupted command would have to bring back.
      await rename(folder, incomplete)
      await forgetUnfinishedUpgrade(dataDir)
      await rm(incomplete, { recursive: true, force: true })
    },
    bringBack: () => bringBack(dataDir, folder, { release, version }),
  }
}

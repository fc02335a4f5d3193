import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { isProcessAlive } from '../../server/platform/postgres/scratch-folder.ts'

const prefix = 'portal-test-'
/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Several times the space that a run needs at any one time. */
const NEEDED_BYTES = 8 * 2 ** 30

/**
 * Creates a folder for everything that a test run writes. It is in memory if there is enough space, because temporary
 * files need not wait for a disk. TMPDIR takes precedence if it is set. Files left behind by killed runs are deleted.
 */
export async function makeTestFolder(): Promise<{ folder: string; isInMemory: boolean }> {
  const isInMemory = !process.env.TMPDIR && (await hasRoomInMemory())
  const parent = isInMemory ? IN_MEMORY : tmpdir()
  await removeAbandoned(parent)
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  // Databases and portals run as other users in this folder.
  await chmod(folder, 0o1777)
  return { folder, isInMemory }
}

/**
 * Checks both the file system and the memory that contains it, because the file system's limit may exceed the available
 * memory.
 */
async function hasRoomInMemory(): Promise<boolean> {
  const { type, bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ type: 0, bavail: 0, bsize: 0 }))
  if (type !== TMPFS || bavail * bsize < NEEDED_BYTES) return false
  const available = Number(/^MemAvailable: +(\d+) kB$/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1]) * 1024
  return available >= 1.5 * NEEDED_BYTES && mayRunPrograms(await readFile('/proc/mounts', 'utf8'))
}

const mayRunPrograms = (mounts: string) =>
  mounts
    .split('\n')
    .some(line => line.split(' ')[1] === IN_MEMORY && !line.split(' ')[3]?.split(',').includes('noexec'))

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
    if (pid > 0 && !isProcessAlive(pid)) await removeTestFolder(join(parent, name))
  }
}

/** Whether this is the path of a folder that `makeTestFolder` creates. */
export const isTestFolder = (path: string): boolean =>
  isAbsolute(path) && /^portal-test-\d+-\w{6}$/.test(basename(path))

/** Removes a test folder, or reports why that fails (for example because of a remaining mount). Never rejects. */
export const removeTestFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch((error: Error) =>
    console.log(`Cannot remove ${folder}: ${error.message}`),
  )

import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive } from '../../server/postgres/scratch-folder.ts'

const prefix = 'portal-test-'
/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Some times of what a run has at once. */
const NEEDED_BYTES = 8 * 2 ** 30

/**
 * A folder for everything that a run of the tests writes: in memory where there is room for it, since what dies with the run need
 * not wait for a disk. Whoever sets TMPDIR has chosen. What killed runs have left goes.
 */
export async function makeTestFolder(): Promise<{ folder: string; isInMemory: boolean }> {
  const isInMemory = !process.env.TMPDIR && (await hasRoomInMemory())
  const parent = isInMemory ? IN_MEMORY : tmpdir()
  await removeAbandoned(parent)
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  // Databases and portals run as other users in it.
  await chmod(folder, 0o1777)
  return { folder, isInMemory }
}

/** Of the file system, and of the memory in which it lies: its own limit may be more than there is. */
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
    if (pid > 0 && !isProcessAlive(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

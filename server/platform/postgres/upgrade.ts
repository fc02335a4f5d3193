import { link, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { DataDirInUseError } from '#server/platform/process/start-error.ts'
import { locateCluster, majorVersion, readClusterVersion } from './cluster.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts'
import { stopPostmaster } from './postmaster.ts'
import { isProcessAlive } from './scratch-folder.ts'

type Connection = EmbeddedPostgres['connection']

/**
 * Copies the cluster of an older major version into a new one. The old folder is kept under another name, such as
 * `postgres-17`. After an interruption, the upgrade can be started again. See docs/decisions/0015.
 * @param copy writes and compares all rows
 * @throws StartError if the old cluster cannot be read
 */
export async function upgradeCluster(
  options: Pick<EmbeddedOptions, 'dataDir' | 'processLabel'>,
  copy: (from: Connection, to: Connection) => Promise<unknown>,
): Promise<void> {
  const { dataDir, folder } = await locateCluster(options.dataDir)
  const next = join(dataDir, 'postgres.next')
  const isOld = async () => Number((await readClusterVersion(folder)) || majorVersion) < Number(majorVersion)
  // The old folder is renamed only when the new one is complete.
  const isToEnd = async () =>
    (await readClusterVersion(folder)) === '' && (await readClusterVersion(next)) === majorVersion
  if (!(await isOld()) && !(await isToEnd())) return

  const unlock = await lock(dataDir)
  try {
    if (await isOld()) {
      const major = await readClusterVersion(folder)
      console.log(`The database is being brought from PostgreSQL ${major} to ${majorVersion} …`)
      const kept = await fillNext(options, { dataDir, next, major }, copy)
      await rename(folder, kept)
      console.log(`The old database stays in ${kept}: take it away when all is well.`)
    }
    if (await isToEnd()) await rename(next, folder)
    await rm(join(dataDir, 'postgres.log.next'), { force: true })
    const parent = await open(dataDir)
    await parent.sync().finally(() => parent.close())
  } finally {
    await unlock()
  }
}

/**
 * Copies the old cluster into a new folder.
 * @returns path to which the old folder is to be renamed
 */
async function fillNext(
  options: Pick<EmbeddedOptions, 'dataDir' | 'processLabel'>,
  { dataDir, next, major }: { dataDir: string; next: string; major: string },
  copy: (from: Connection, to: Connection) => Promise<unknown>,
): Promise<string> {
  const from = await openEmbeddedPostgres({ ...options, role: 'portal', other: { name: 'postgres', major } })
  try {
    const names = new Set(await readdir(dataDir))
    // Removes what a killed upgrade has left behind, including its server.
    if (names.has('postgres.next')) await stopPostmaster({ folder: next })
    await rm(next, { recursive: true, force: true })
    const to = await openEmbeddedPostgres({
      ...options,
      role: 'portal',
      other: { name: 'postgres.next', major: majorVersion },
    })
    try {
      await copy(from.connection, to.connection)
    } finally {
      await to.stop()
    }
  } finally {
    await from.stop()
  }
  const taken = (await readdir(dataDir)).filter(name => name.startsWith(`postgres-${major}`)).length
  return join(dataDir, taken === 0 ? `postgres-${major}` : `postgres-${major}.${taken + 1}`)
}

/**
 * Acquires a lock that one process at a time can hold. If the process that holds it has ended, the lock is taken over.
 */
async function lock(dataDir: string): Promise<() => Promise<void>> {
  const path = join(dataDir, 'postgres.upgrade')
  const own = `${path}.${process.pid}`
  await writeFile(own, `${process.pid}`, { mode: 0o600 })
  try {
    for (;;) {
      try {
        // Unlike a newly created file, a link appears atomically together with its content.
        await link(own, path)
        return () => rm(path, { force: true })
      } catch (error) {
        if (errorFactsOf(error).code !== 'EEXIST') throw error
      }
      const pid = Number(await readFile(path, 'utf8').catch(() => '0' /* released meanwhile */))
      if (pid > 0 && pid !== process.pid && isProcessAlive(pid))
        throw new DataDirInUseError(`DATA_DIR ${dataDir} is in use by process ${pid}, which upgrades its database`)
      await rm(path, { force: true })
    }
  } finally {
    await rm(own, { force: true })
  }
}

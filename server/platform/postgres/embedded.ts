import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chownDataFiles } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { DataDirInUseError, StartError } from '#server/platform/process/start-error.ts'
import {
  type Cluster,
  type ClusterIdentity,
  clusterUser,
  describeClusterFailure,
  locateCluster,
  portalRole,
  prepareCluster,
  preparePortalRole,
  type RunnableCluster,
} from './cluster.ts'
import { explainFileError, restrictDataDir } from './data-dir.ts'
import {
  isPostmasterStarting,
  isPostmasterUp,
  isStartRetryable,
  type StartAttempt,
  spawnPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { chownTree } from './server-account.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** name of this process in messages to other processes; for a portal, its URL */
  processLabel: string
  /** `portal`: only one may use a DATA_DIR; a `tool` runs with or without a running portal */
  role: 'portal' | 'tool'
  /** cluster to open instead of the default one; for an upgrade, which runs two clusters */
  other?: ClusterIdentity
  /** server settings that apply if this process starts the server */
  settings?: Record<string, string>
  /** called if the server has stopped and cannot be restarted, or if another portal has taken over in the meantime */
  onLost?: (error: Error) => void
}

export type EmbeddedPostgres = {
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /**
   * transfers files created by root to the account of the server.
   * @returns this account; root itself if the server runs as root
   */
  handOver(): Promise<{ uid: number; gid: number }>
  /** the server's Unix socket; write permission on it grants full access */
  socket: string
  /** stops the server if no other process uses it; all connection pools must be closed first */
  stop(): Promise<void>
}

const startPatienceMs = 120_000
const retryMs = 1_000
/** Maximum time in ms to wait during shutdown for a server that is still starting. */
const reachPatienceMs = 10_000
/**
 * Time in ms to wait for the locks of a killed portal, which are held until the server detects that the connection is
 * lost.
 */
const lockPatienceMs = 2_000
const lockClass = 20_261
const openers = 1
const portals = 2
const longestSocketPath = 100

/**
 * Opens the embedded PostgreSQL in DATA_DIR. Creates the cluster if necessary, starts the server or connects to the
 * running one, and restarts it after a crash. Processes that use the server are tracked by a shared advisory lock,
 * which each of them holds. A process that stops using the server shuts it down only if it acquires this lock
 * exclusively. A process that connects at that time cannot acquire the shared lock, and starts the server again.
 * @throws DataDirInUseError if `role` is portal and another portal is using the folder
 * @throws StartError for all other errors that an operator can fix
 */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await locateCluster(options.dataDir, options.other)
  const socket = await locateSocket(cluster.folder)
  const connection: Connection = {
    host: socket.folder,
    port: 5432,
    user: clusterUser,
    database: 'postgres',
    ssl: false,
  }
  const leaving = new AbortController()
  const enter = () => acquire(cluster, connection, options, leaving.signal)
  let held: Promise<pg.Client>

  // Retries for a while, because the cause may be temporary, such as a full disk. Meanwhile, the portal reports the
  // database as unavailable.
  const enterAgain = async (): Promise<pg.Client> => {
    const deadline = Date.now() + startPatienceMs
    for (;;) {
      try {
        return await enter()
      } catch (error) {
        if (leaving.signal.aborted || error instanceof DataDirInUseError || Date.now() > deadline) throw error
        await sleep(retryMs)
      }
    }
  }

  const watch = (client: pg.Client) => {
    client.once('end', () => {
      if (leaving.signal.aborted) return
      held = enterAgain().then(watch)
      held.catch(error => {
        if (!leaving.signal.aborted) options.onLost?.(error)
      })
    })
    return client
  }

  try {
    held = Promise.resolve(watch(await enter()))
  } catch (error) {
    await socket.remove()
    throw explainFileError(error, cluster.folder)
  }
  return {
    connection: { ...connection, user: portalRole },
    socket: join(socket.folder, '.s.PGSQL.5432'),
    async handOver() {
      const { uid, gid } = await stat(cluster.folder)
      chownTree({ uid, gid }, join(cluster.dataDir, 'outbox'))
      await chownDataFiles(cluster.dataDir, { uid, gid })
      if (socket.made) chownTree({ uid, gid }, socket.made)
      await restrictDataDir(cluster.dataDir, { uid, gid })
      return { uid, gid }
    },
    async stop() {
      leaving.abort()
      // While a crashed server is being restarted, there is no connection, and the new server may still be starting.
      const client = (await held.catch(() => null)) ?? (await reach(cluster, connection, options))
      if (client) await leave(cluster, client)
      await socket.remove()
    },
  }
}

type Connection = EmbeddedPostgres['connection']

async function acquire(
  cluster: Cluster,
  connection: Connection,
  options: EmbeddedOptions,
  leaving: AbortSignal,
): Promise<pg.Client> {
  const deadline = Date.now() + startPatienceMs
  let runnable: RunnableCluster | null = null
  let attempt: StartAttempt | null = null
  while (Date.now() < deadline) {
    // A server that was just started must have written its lock file before this loop ends, so that `stop` finds it.
    if (leaving.aborted && (!attempt || attempt.hasEnded() || (await isPostmasterUp(cluster)))) throw leaving.reason
    const client = leaving.aborted ? null : await connect(cluster, connection, options)
    if (client instanceof pg.Client) {
      const hasLocks = await takeLocks(cluster, client, options)
      if (hasLocks && (await hasPortalRole(client))) return client
    } else if (client === 'nobody there') {
      if (attempt?.hasEnded()) {
        const log = await attempt.readLog()
        if (!attempt.hasEndedInOrder() && !isStartRetryable(log))
          throw new StartError(describeClusterFailure(`The database in ${cluster.folder} does not start`, log))
        attempt = null
        await sleep(100)
      } else if (!attempt && !(await isPostmasterUp(cluster))) {
        runnable ??= await prepareCluster(cluster)
        attempt = await spawnPostmaster(runnable, options.settings)
      }
    }
    await sleep(20)
  }
  throw new StartError(`The database in ${cluster.folder} does not answer. Its log is ${cluster.logFile}`)
}

async function connect({ folder }: Cluster, connection: Connection, options: EmbeddedOptions) {
  const name = `${process.pid} ${options.processLabel}`
  const client = new pg.Client({ ...connection, application_name: name, connectionTimeoutMillis: 5_000 })
  // Ignored, because a lost connection also rejects the pending query or emits 'end'.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    // Ignores a connection that was never established.
    await client.end().catch(() => undefined)
    const { code, message } = errorFactsOf(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'nobody there'
    const isPassing = !code || ['57P03', '57P01', '53300', 'ECONNRESET', 'EPIPE', 'EAGAIN'].includes(code)
    if (isPassing) return 'busy'
    const explained = explainFileError(error, folder)
    if (explained instanceof StartError) throw explained
    throw new StartError(describeClusterFailure(`The database in ${folder} cannot be opened`, message), {
      cause: error,
    })
  }
}

/**
 * Connects to a running server.
 * @returns null if no server is running or it does not respond
 */
async function reach(cluster: Cluster, connection: Connection, options: EmbeddedOptions): Promise<pg.Client | null> {
  const deadline = Date.now() + reachPatienceMs
  while (Date.now() < deadline && (await isPostmasterUp(cluster))) {
    // Crash recovery may take arbitrarily long, and no process is connected yet, so the server is stopped. The next
    // start resumes the recovery.
    if (await isPostmasterStarting(cluster)) {
      await stopPostmaster(cluster)
      return null
    }
    // Connection errors are ignored during shutdown, because the loop tries again until the deadline.
    const client = await connect(cluster, connection, options).catch(() => null)
    if (client instanceof pg.Client) return client
    await sleep(20)
  }
  return null
}

/**
 * Acquires the advisory locks for this process.
 * @returns false if the server is shutting down, in which case the connection is closed
 */
async function takeLocks(cluster: Cluster, client: pg.Client, { role }: EmbeddedOptions): Promise<boolean> {
  try {
    const isOpen = await ask(client, `pg_try_advisory_lock_shared(${lockClass}, ${openers})`)
    if (isOpen && role === 'tool') return true
    const deadline = Date.now() + lockPatienceMs
    while (isOpen) {
      if (await ask(client, `pg_try_advisory_lock(${lockClass}, ${portals})`)) return true
      if (Date.now() > deadline) throw await describeHolder(cluster, client)
      await sleep(50)
    }
    await client.end()
  } catch (error) {
    if (error instanceof StartError) {
      await leave(cluster, client)
      throw error
    }
    // A server that is shutting down may already have closed the connection.
    await client.end().catch(() => undefined)
  }
  return false
}

/**
 * Creates the portal's role if necessary.
 * @returns false if the connection was lost, in which case it is closed
 * @throws DatabaseError for any other failure
 */
async function hasPortalRole(client: pg.Client): Promise<boolean> {
  try {
    await preparePortalRole(client)
    return true
  } catch (error) {
    // Errors are ignored, because a lost connection is already closed.
    await client.end().catch(() => undefined)
    const { code, message } = errorFactsOf(error)
    if (/^57P|^E[A-Z]|^$/.test(code)) return false
    throw new StartError(`The embedded database cannot be prepared: ${message}`, { cause: error })
  }
}

async function describeHolder({ dataDir }: Cluster, client: pg.Client): Promise<DataDirInUseError> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = ${lockClass} and objid = ${portals}`,
  )
  const [, pid, label] = /^(\d+) (.*)$/.exec(rows[0]?.name ?? '') ?? []
  return new DataDirInUseError(
    `DATA_DIR ${dataDir} is in use by ${pid ? `process ${pid} (${label})` : 'another process'}`,
  )
}

async function leave(cluster: Cluster, client: pg.Client): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_all()')
    if (await ask(client, `pg_try_advisory_lock(${lockClass}, ${openers})`)) await stopPostmaster(cluster)
    await client.end()
  } catch {
    // If the connection is lost, its locks have been released. The next process that opens the database finds the
    // running server or the files of a crashed one.
    await client.end().catch(() => undefined)
  }
}

async function ask(client: pg.Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`select ${condition} as yes`)
  return rows[0]?.yes === true
}

/**
 * Finds the folder through which the socket is accessed: a short symbolic link if the path exceeds the maximum length
 * of a socket path.
 */
async function locateSocket(folder: string) {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestSocketPath)
    return { folder, made: null, remove: async () => {} }
  const parent = await mkdtemp(join(tmpdir().length < 70 ? tmpdir() : '/tmp', 'portal-'))
  await symlink(folder, join(parent, 'db'))
  return { folder: join(parent, 'db'), made: parent, remove: () => rm(parent, { recursive: true, force: true }) }
}

import { execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster, RunnableCluster } from './cluster.ts'
import { isProcessAlive } from './scratch-folder.ts'
import { spawnArgumentsForAccount } from './server-account.ts'

const logLimitBytes = 1_000_000
const stopPatienceMs = 60_000

// The socket is in the cluster's folder, so that every process with access to the folder finds the running server, even
// from another container.
const settings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  port: '5432',
  max_connections: '120',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  // The server does not log failed statements, because their values may contain personal data. The portal logs the
  // failures itself.
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Settings that were introduced in version 18. */
const newerSettings = { io_method: 'sync' }

export type StartAttempt = {
  hasEnded: () => boolean
  /** whether the process has ended because a shutdown was requested */
  hasEndedInOrder: () => boolean
  readLog: () => Promise<string>
}

/**
 * Starts the server as a detached process, which continues to run after this process has ended and does not receive
 * Ctrl+C.
 */
export async function spawnPostmaster(
  cluster: RunnableCluster,
  extra: Record<string, string> = {},
): Promise<StartAttempt> {
  const { folder, logFile, major, account, binaries } = cluster
  await removeForeignLocks(folder)
  await rotateLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    // The owner is changed so that an ordinary user can start the portal later.
    if (process.getuid?.() === 0) await log.chown(account.uid, account.gid)
    const { size } = await log.stat()
    const known = Number(major) < 18 ? settings : { ...settings, ...newerSettings }
    const flags = Object.entries({ ...known, ...extra }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { command, args, options } = spawnArgumentsForAccount(
      account,
      binaries,
      binaries.postgres,
      '-D',
      folder,
      ...flags,
    )
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log.fd, log.fd] })
    let exitCode: number | null | undefined
    let failure = ''
    child.once('exit', code => {
      exitCode = code
    })
    child.once('error', error => {
      exitCode = null
      failure = error.message
    })
    child.unref()
    const readLog = async () => failure || (await readFile(logFile)).subarray(size).toString()
    return { hasEnded: () => exitCode !== undefined, hasEndedInOrder: () => exitCode === 0, readLog }
  } finally {
    await log.close()
  }
}

/**
 * Whether starting the server failed only because the previous one is still shutting down or another process has
 * started it first.
 */
export const isStartRetryable = (log: string): boolean =>
  /lock file "[^"]*" already exists|pre-existing shared memory block|lock file "[^"]*" is empty/.test(log)

/** Requests a fast shutdown of the server and waits until it has ended. */
export async function stopPostmaster({ folder }: Pick<Cluster, 'folder'>): Promise<void> {
  const pid = await readPid(join(folder, 'postmaster.pid'))
  if (pid === null || !(await isPostmasterOf(pid, folder))) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + stopPatienceMs
  while ((await isPostmasterOf(pid, folder)) && Date.now() < deadline) await sleep(10)
}

/** Whether this folder's server is running, even if it does not accept connections yet. */
export async function isPostmasterUp({ folder }: Cluster): Promise<boolean> {
  const pid = await readPid(join(folder, 'postmaster.pid'))
  return pid !== null && (await isPostmasterOf(pid, folder))
}

/**
 * Whether this folder's server is running but does not accept connections yet, according to line 8 of its lock file
 * (PostgreSQL 10 and later).
 */
export async function isPostmasterStarting({ folder }: Cluster): Promise<boolean> {
  // A missing file means that no server is running.
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')[7]?.trim() === 'starting'
}

/**
 * Removes stale lock files. After a reboot, their process id may belong to any other program, and the server would
 * refuse to start.
 */
async function removeForeignLocks(folder: string): Promise<void> {
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const pid = await readPid(join(folder, name))
    if (pid !== null && isProcessAlive(pid) && !(await isPostmasterOf(pid, folder)))
      await rm(join(folder, name), { force: true })
  }
}

/**
 * Whether a process is the server of this folder, which is then its working directory. On systems other than Linux, the
 * command line is checked instead.
 */
async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    // `ps` fails if the process has ended.
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', `${pid}`]).catch(() => ({ stdout: '' }))
    return stdout.includes('postgres')
  }
  // If the working directory cannot be read, the process has ended or belongs to another account, so it is not our
  // server.
  const [working, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(folder)])
  return working?.ino === own.ino && working.dev === own.dev
}

async function readPid(path: string): Promise<number | null> {
  // A missing file means that no server is running.
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : null
}

async function rotateLog(logFile: string): Promise<void> {
  // The log may not exist yet.
  const { size } = await stat(logFile).catch(() => ({ size: 0 }))
  if (size > logLimitBytes) await rename(logFile, `${logFile}.1`)
}

import { execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster, RunnableCluster } from './cluster.ts'
import { isAlive } from './scratch-folder.ts'
import { commandFor } from './server-account.ts'

const logLimitBytes = 1_000_000
const stopPatienceMs = 60_000

// The socket lies in the cluster's folder: whoever sees the folder, also from another container, finds a running server there.
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
  // Failed statements are the portal's to report; with their values they would put personal data into a file.
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** What versions before 18 do not know. */
const newerSettings = { io_method: 'sync' }

export type StartAttempt = {
  hasEnded: () => boolean
  /** Whether it ended because somebody asked it to. */
  hasEndedInOrder: () => boolean
  readLog: () => Promise<string>
}

/** Starts the server as a process of its own, which outlives this one and no terminal's Ctrl+C reaches. */
export async function spawnPostmaster(
  cluster: RunnableCluster,
  extra: Record<string, string> = {},
): Promise<StartAttempt> {
  const { folder, logFile, major, account, binaries } = cluster
  await removeForeignLocks(folder)
  await rotateLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    // So that the next start may be an ordinary user's.
    if (process.getuid?.() === 0) await log.chown(account.uid, account.gid)
    const { size } = await log.stat()
    const known = Number(major) < 18 ? settings : { ...settings, ...newerSettings }
    const flags = Object.entries({ ...known, ...extra }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { command, args, options } = commandFor(account, binaries, binaries.postgres, '-D', folder, ...flags)
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

/** Whether a start failed only because the previous server has not quite gone, or another process was faster. */
export const isWorthRetrying = (log: string): boolean =>
  /lock file "[^"]*" already exists|pre-existing shared memory block|lock file "[^"]*" is empty/.test(log)

/** Asks the server to end at once but in good order, and waits until it has. */
export async function stopPostmaster({ folder }: Pick<Cluster, 'folder'>): Promise<void> {
  const pid = await readPid(join(folder, 'postmaster.pid'))
  if (pid === null || !(await isPostmasterOf(pid, folder))) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + stopPatienceMs
  while ((await isPostmasterOf(pid, folder)) && Date.now() < deadline) await sleep(10)
}

/** Whether the server of this folder runs, ready or not. */
export async function isPostmasterUp({ folder }: Cluster): Promise<boolean> {
  const pid = await readPid(join(folder, 'postmaster.pid'))
  return pid !== null && (await isPostmasterOf(pid, folder))
}

/** Whether the server of this folder runs and lets nobody in yet: the eighth line of its lock file, since PostgreSQL 10. */
export async function isPostmasterStarting({ folder }: Cluster): Promise<boolean> {
  // No file, no server.
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')[7]?.trim() === 'starting'
}

/** After a reboot the process id in a left-over lock file can be any program's, and the server would refuse to start for ever. */
async function removeForeignLocks(folder: string): Promise<void> {
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const pid = await readPid(join(folder, name))
    if (pid !== null && isAlive(pid) && !(await isPostmasterOf(pid, folder)))
      await rm(join(folder, name), { force: true })
  }
}

/** A server's working folder is its cluster. Where that cannot be asked, its name has to do. */
async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    // `ps` fails for a process that has ended.
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', `${pid}`]).catch(() => ({ stdout: '' }))
    return stdout.includes('postgres')
  }
  // The process has ended, or is another account’s, as ours is not.
  const [working, own] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(folder)])
  return working?.ino === own.ino && working.dev === own.dev
}

async function readPid(path: string): Promise<number | null> {
  // No file, no server.
  const text = await readFile(path, 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : null
}

async function rotateLog(logFile: string): Promise<void> {
  // No log yet.
  const { size } = await stat(logFile).catch(() => ({ size: 0 }))
  if (size > logLimitBytes) await rename(logFile, `${logFile}.1`)
}

import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from './free-port.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const asOwner = (line: string[]) =>
  isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...line] : line
const password = randomBytes(12).toString('hex')

/** PostgreSQL server installed on the system, which tests kill, demote and replace. */
export type TestPostgres = {
  url: string
  port: number
  /** Does nothing if the server is running. */
  start(): Promise<void>
  /** Kills the server and all its children with SIGKILL, as if the machine had crashed. */
  kill(): Promise<void>
  /** Sends a signal such as SIGSTOP to the server and its children. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** Executes a statement as administrator. */
  sql(statement: string, database?: string): Promise<Record<string, unknown>[]>
  /** Creates a standby. As soon as it streams, each commit waits for it. */
  follow(): Promise<TestPostgres>
  remove(): Promise<void>
}

/** Lists the processes of a server: the postmaster and its children. */
async function listProcesses(postmaster: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid='])
  const pairs = stdout.split('\n').map(line => line.trim().split(/\s+/).map(Number))
  return [postmaster, ...pairs.filter(([, parent]) => parent === postmaster).map(([child = 0]) => child)]
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Sends a signal to a server and its children, each of which has its own process group. */
export async function signalServer(postmaster: number, name: NodeJS.Signals): Promise<void> {
  for (const pid of await listProcesses(postmaster)) send(pid, name)
}

/**
 * Kills only the postmaster with SIGKILL. Its children may still finish and acknowledge their statements, so the
 * function waits for them.
 */
export async function killPostmaster(postmaster: number): Promise<void> {
  const [, ...children] = await listProcesses(postmaster)
  send(postmaster, 'SIGKILL')
  const isThere = (pid: number) =>
    stat(`/proc/${pid}/cwd`).then(
      () => true,
      () => false,
    )
  while ((await Promise.all([postmaster, ...children].map(isThere))).includes(true)) await sleep(5)
}

async function findBinaries(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  return newest ? join('/usr/lib/postgresql', newest, 'bin') : null
}

export async function hasPostgres(): Promise<boolean> {
  return (await findBinaries()) !== null
}

/** Creates a cluster in `parent` and starts it. @throws Error if the system has no PostgreSQL */
export async function startTestPostgres(parent = tmpdir()): Promise<TestPostgres> {
  const bin = await findBinaries()
  if (!bin) throw new Error('this system has no PostgreSQL of its own')
  const folder = await makeFolder(parent)
  await writeFile(join(folder, 'password'), password)
  await chmod(join(folder, 'password'), 0o644)
  const data = join(folder, 'data')
  const access = ['--username=operator', `--pwfile=${join(folder, 'password')}`, '--auth=scram-sha-256']
  await call([join(bin, 'initdb'), `--pgdata=${data}`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', ...access])
  await appendFile(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  const server = await control(bin, folder)
  await server.start()
  return server
}

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'portal-server-'))
  await chmod(folder, 0o711)
  await mkdir(join(folder, 'data'), { mode: 0o700 })
  if (isRoot) await run('chown', ['-R', 'postgres:postgres', folder])
  return folder
}

const call = (line: string[]) => {
  const [command = '', ...args] = asOwner(line)
  return run(command, args, { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', PGPASSWORD: password } })
}

async function control(bin: string, folder: string): Promise<TestPostgres> {
  const data = join(folder, 'data')
  const port = await findFreePort()
  const url = `postgresql://operator:${password}@127.0.0.1:${port}/postgres`
  let child: ReturnType<typeof spawn> | null = null

  const sql = async (statement: string, database = 'postgres') => {
    const connectionString = Object.assign(new URL(url), { pathname: database }).href
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  const isUp = () => child !== null && child.exitCode === null && child.signalCode === null
  const signal = async (name: NodeJS.Signals) => {
    if (isUp()) await signalServer(child?.pid ?? 0, name)
  }

  const server: TestPostgres = {
    url,
    port,
    sql,
    signal,
    async start() {
      if (isUp()) return
      const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'wal_level=replica']
      const more = ['hot_standby=on', 'max_wal_senders=5', 'wal_keep_size=256MB', 'shared_buffers=32MB']
      const flags = [...settings, ...more].flatMap(setting => ['-c', setting])
      const [command = '', ...args] = asOwner([join(bin, 'postgres'), '-D', data, ...flags])
      const options = { cwd: '/', stdio: 'ignore', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } } as const
      child = spawn(command, args, options)
      const deadline = Date.now() + 60_000
      for (;;) {
        const answers = await sql('select 1').then(
          () => true,
          () => false,
        )
        if (answers) return
        if (Date.now() > deadline) throw new Error(`PostgreSQL at ${port} does not start`)
        await sleep(20)
        // Starts the server again, as an administrator would, because a child of the previous server may not have ended
        // yet.
        if (!isUp()) child = spawn(command, args, options)
      }
    },
    async kill() {
      const ended = child && isUp() ? once(child, 'exit') : null
      await signal('SIGKILL')
      await ended
    },
    async follow() {
      const other = await makeFolder(tmpdir())
      const link = `host=127.0.0.1 port=${port} user=operator password=${password} application_name=standby`
      await call([
        join(bin, 'pg_basebackup'),
        '-D',
        join(other, 'data'),
        '-d',
        link,
        '-R',
        '-c',
        'fast',
        '-X',
        'stream',
      ])
      const standby = await control(bin, other)
      await standby.start()
      await sql(`alter system set synchronous_standby_names = '*'`)
      await sql('select pg_reload_conf()')
      for (let attempt = 0; attempt < 500; attempt++) {
        const rows = await sql(`select from pg_stat_replication where sync_state = 'sync'`)
        if (rows.length > 0) return standby
        await sleep(20)
      }
      throw new Error('the standby does not follow')
    },
    async remove() {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return server
}

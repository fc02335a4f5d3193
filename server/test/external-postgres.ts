import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { findPostgresBinaries, type PostgresBinaries } from '#server/platform/postgres/binaries.ts'
import { choosePostgresAccount, chownTree, spawnArgumentsForAccount } from '#server/platform/postgres/server-account.ts'
import { authority, certificate, key } from './certificate.ts'
import { findFreePort } from './free-port.ts'

const startPatienceMs = 30_000

/**
 * Starts an empty PostgreSQL server as an operator would provide it, which is accessed over TCP with a password. If the
 * system has a PostgreSQL of its own, it is used, and its version differs from the bundled one.
 * @param environment additional environment variables of the server
 * @returns `url`: value for DATABASE_URL, with a role that may create databases; `authorityFile`: who signed its
 * certificate; `stop`: removes everything
 */
export async function startExternalPostgres(
  environment: Record<string, string> = {},
): Promise<{ url: string; version: string; authorityFile: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-external-'))
  await chmod(folder, 0o711)
  const found = (await findSystemBinaries()) ?? (await findPostgresBinaries(folder))
  const binaries = { ...found, env: { ...found.env, ...environment } }
  const account = await choosePostgresAccount(null, folder, binaries)
  const [data, passwordFile, password] = [
    join(folder, 'data'),
    join(folder, 'password'),
    randomBytes(12).toString('hex'),
  ]
  await mkdir(data, { mode: 0o700 })
  chownTree(account, data)
  await writeFile(passwordFile, password)
  await chmod(passwordFile, 0o644)

  const access = ['--username=operator', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const line = [binaries.initdb, `--pgdata=${data}`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', ...access]
  const initdb = spawnArgumentsForAccount(account, binaries, ...line)
  await promisify(execFile)(initdb.command, initdb.args, initdb.options)

  await writeFile(join(folder, 'server.crt'), certificate)
  await writeFile(join(data, 'server.key'), key, { mode: 0o600 })
  await writeFile(join(folder, 'authority.crt'), authority)
  chownTree(account, data)

  const port = await findFreePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=300',
    // The data is discarded after the run, so the server need not wait for the disk.
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'autovacuum=off',
    'logging_collector=off',
    'ssl=on',
    `ssl_cert_file=${join(folder, 'server.crt')}`,
    'ssl_key_file=server.key',
  ]
  const flags = settings.flatMap(setting => ['-c', setting])
  const { command, args, options } = spawnArgumentsForAccount(
    account,
    binaries,
    binaries.postgres,
    '-D',
    data,
    ...flags,
  )
  const server = spawn(command, args, { ...options, stdio: 'ignore' })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = `postgresql://operator:${password}@127.0.0.1:${port}/postgres`
  try {
    return { url, version: await askVersion(url), authorityFile: join(folder, 'authority.crt'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function askVersion(url: string): Promise<string> {
  const db = openDatabase({ connection: { connectionString: url }, timeZone: 'UTC', poolSize: 1 })
  const deadline = Date.now() + startPatienceMs
  try {
    for (;;) {
      try {
        return (await db.one<{ version: string }>(sql`select current_setting('server_version') as version`)).version
      } catch (error) {
        if (Date.now() > deadline) throw error
        await sleep(20)
      }
    }
  } finally {
    await db.close()
  }
}

async function findSystemBinaries(): Promise<PostgresBinaries | null> {
  const parent = '/usr/lib/postgresql'
  const versions = await readdir(parent).catch(() => [])
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  if (!newest) return null
  const bin = join(parent, newest, 'bin')
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), probe: join(bin, 'postgres'), env }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../server/platform/db/client.ts'
import { withSingleConnection } from '../../server/platform/db/connect.ts'
import { runCommand } from '../../server/test/command.ts'
import { startExternalPostgres } from '../../server/test/external-postgres.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { startPortal, stopPortals } from '../../server/test/portal.ts'
import { isInstalled } from './programs.ts'

describe.skipIf(!isInstalled('pgbouncer'))('PgBouncer between portal and database', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof startExternalPostgres>>
  let bouncer: ChildProcess | null = null
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pooler-'))
    await chmod(folder, 0o755)
    database = await startExternalPostgres()
  }, 60_000)
  afterEach(async () => {
    await stopPortals()
    bouncer?.kill('SIGQUIT')
    if (bouncer) await once(bouncer, 'exit')
    bouncer = null
  })
  afterAll(async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** @returns the address of the database through a pooler */
  async function startBouncer(mode: string, poolSize: number): Promise<string> {
    const to = new URL(database.url)
    const port = await findFreePort()
    await writeFile(join(folder, 'users.txt'), `"${to.username}" "${to.password}"\n`)
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=${to.hostname} port=${to.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
    )
    // PgBouncer refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    bouncer = spawn('pgbouncer', ['-q', ...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
    const url = Object.assign(new URL(database.url), { port: String(port) }).href
    await expect.poll(() => isListening(port), { timeout: 20_000 }).toBe(true)
    return url
  }
  const isListening = (port: number) =>
    fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      error => error.cause?.code !== 'ECONNREFUSED',
    )
  const settings = (url: string) => ({ DATABASE_URL: url, DATA_DIR: folder })

  test('session mode: the portal serves, and an undone move reopens the old database', {
    timeout: 120_000,
  }, async () => {
    const url = await startBouncer('session', 30)
    const portal = startPortal(settings(url))
    expect((await fetch(`${await portal.url()}/api/health`)).status).toBe(200)
    expect(portal.output()).not.toContain('pooler')
    await stopPortals()

    const made = await runCommand(['audit'], settings(url))
    expect(made).toMatchObject({ status: 0, stderr: '' })
    await withSingleConnection({ connectionString: database.url }, db =>
      db.execute(sql`create database target template template0`),
    )
    const target = Object.assign(new URL(database.url), { pathname: '/target' }).href
    expect(await runCommand(['move', target], settings(url))).toMatchObject({ status: 0, stderr: '' })
    expect((await runCommand(['audit'], settings(url))).stderr).toContain('were moved to')
    expect(await runCommand(['move', '--undo'], settings(url))).toMatchObject({ status: 0, stderr: '' })
    expect((await runCommand(['audit'], settings(url))).status).toBe(0)
  })

  test('a pool that is too small is named at the start', { timeout: 60_000 }, async () => {
    const portal = startPortal(settings(await startBouncer('session', 20)))
    expect((await fetch(`${await portal.url()}/api/health`)).status).toBe(200)
    // One connection may still be in use by the command before.
    await expect
      .poll(portal.output)
      .toMatch(/pooler provides (?:19|20) connections .* uses up to 22: set default_pool_size to 22/)
  })

  test.each(['transaction', 'statement'])('%s mode is refused in one line', { timeout: 60_000 }, async mode => {
    const url = await startBouncer(mode, 20)
    const portal = startPortal(settings(url))
    expect(await portal.ended).toBe(1)
    expect(portal.errors()).toMatch(/^DATABASE_URL: a connection pooler in transaction .* pool_mode = session[^\n]*\n$/)
    expect((await runCommand(['audit'], settings(url))).stderr).toMatch(/^DATABASE_URL: a connection pooler [^\n]*\n$/)
  })
})

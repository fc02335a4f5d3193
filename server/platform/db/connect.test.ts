// @module-tag extended
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { startExternalPostgres } from '#server/test/external-postgres.ts'
import { sql } from './client.ts'
import { connectDatabase } from './connect.ts'

type External = Awaited<ReturnType<typeof startExternalPostgres>>
let external: External
beforeAll(async () => {
  external = await startExternalPostgres()
  const { pools, close } = await open(external.url)
  const db = pools.jobs
  await db.execute(sql.raw(`create role guest login password '${new URL(external.url).password}'`))
  await db.execute(sql.raw(`create database latin encoding latin1 template template0 lc_collate 'C' lc_ctype 'C'`))
  await db.execute(sql.raw('create database readonly'))
  await db.execute(sql.raw('alter database readonly set default_transaction_read_only = on'))
  await close()
}, 60_000)
afterAll(() => external.stop())

const purpose = { role: 'tool', processLabel: 'connect.test' } as const
const open = (url: string) => connectDatabase(readConfig({ DATABASE_URL: url }), purpose)

test('opens the database at DATABASE_URL in the portal’s time zone', async () => {
  const { pools, close } = await open(external.url)
  const db = pools.jobs
  const { zone } = await db.one<{ zone: string }>(sql`select current_setting('TimeZone') as zone`)
  expect(zone).toBe('Europe/Berlin')
  await close()
})

test.each([
  ['a wrong password', { password: 'Wrong-Secret' }, /does not accept the password of operator$/],
  ['an unknown role', { username: 'nobody' }, /does not accept the password of nobody$/],
  ['an unknown database', { pathname: '/sport' }, /has no database sport$/],
  ['a read-only database', { pathname: '/readonly' }, /takes no writes: it is a standby, or set to be read/],
  ['a closed port', { port: '1' }, /nobody answers at 127\.0\.0\.1:1$/],
  ['an unknown host', { hostname: 'db.invalid' }, /the host db\.invalid is unknown$/],
  [
    'an untrusted certificate',
    { search: '?sslmode=require' },
    /is not trusted \(unable to verify.*\): .*sslrootcert=FILE, or .*no-verify$/,
  ],
  ['a missing password', { password: '' }, /asks for the password of operator$/],
  [
    'a role without privileges',
    { username: 'guest' },
    /guest lacks the privilege to create tables in the database postgres$/,
  ],
  ['an encoding without all characters', { pathname: '/latin' }, /the database latin has the encoding LATIN1: .*UTF8$/],
])('%s is reported in one line without the password', async (_, change, reason) => {
  const url = Object.assign(new URL(external.url), change).href
  const error = await open(url).then(
    () => null,
    (error: Error) => error,
  )
  expect(error).toBeInstanceOf(StartError)
  expect(error?.message).toMatch(/^DATABASE_URL: [^\n]*$/)
  expect(error?.message).toMatch(reason)
  expect(error?.message).not.toContain(new URL(url).password || 'undefined')
})

test.each([
  [
    'by the socket form of libpq',
    (url: URL) => `postgres://${url.username}:${url.password}@/postgres?host=127.0.0.1&port=${url.port}`,
  ],
  [
    'encrypted with a verified certificate',
    (url: URL) => `${url.href}?sslmode=verify-full&sslrootcert=${external.authorityFile}`,
  ],
  [
    'encrypted with the authority, as libpq says',
    (url: URL) => `${url.href}?sslmode=verify-ca&sslrootcert=${external.authorityFile}`,
  ],
  ['encrypted without proof', (url: URL) => `${url.href}?sslmode=no-verify`],
])('opens the database %s', async (name, change) => {
  const { pools, close } = await open(change(new URL(external.url)))
  const { isEncrypted } = await pools.jobs.one<{ isEncrypted: boolean }>(
    sql`select ssl as "isEncrypted" from pg_stat_ssl where pid = pg_backend_pid()`,
  )
  expect(isEncrypted).toBe(name.startsWith('encrypted'))
  await close()
})

test.each([
  ['does not respond', (socket: Socket) => void socket.resume(), /does not answer$/],
  ['closes the connection', (socket: Socket) => void socket.destroy(), /hangs up$/],
  ['resets the connection', (socket: Socket) => void socket.resetAndDestroy(), /hangs up$/],
])('a server that %s is reported', { timeout: 30_000 }, async (_, behave, reason) => {
  const server = createServer(behave).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opening = open(`postgres://u:e@127.0.0.1:${port}/x`)
  await expect(opening).rejects.toThrow(new RegExp(`^DATABASE_URL: 127\\.0\\.0\\.1:${port} ${reason.source}`))
  server.close()
})

test('without DATABASE_URL, the database is in DATA_DIR and stops with its last user', {
  timeout: 60_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-connect-'))
  const { pools, close } = await connectDatabase(readConfig({ DATA_DIR: dataDir }), purpose)
  expect(await pools.jobs.one(sql`select 1 as alive`)).toEqual({ alive: 1 })
  await close()
  await expect(pools.jobs.one(sql`select 1 as alive`)).rejects.toThrow()
  await rm(dataDir, { recursive: true, force: true })
})

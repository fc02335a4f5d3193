import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { completeInput } from '#contract/test/profiles.ts'
import { onOneConnection } from '#server/db/connect.ts'
import { runCommand } from '#server/test/command.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { execute, withDatabase } from '#server/test/setup.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(stopPortals)
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

async function createPortal(): Promise<TestDatabase> {
  const portal = await createTestDatabase()
  cleanups.push(portal.close)
  return portal
}

async function createEmptyDatabase(near: string): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`
  const administration = withDatabase(near, 'postgres')
  await execute(administration, `create database ${name} template template0`)
  cleanups.push(() => execute(administration, `drop database if exists ${name} with (force)`))
  return withDatabase(near, name)
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'move-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const folder = await makeFolder()
const settingsFor = (url: string) => ({ DATABASE_URL: url, DATA_DIR: folder, OFFICE_PASSKEY: 'off' })
const run = (url: string, ...words: string[]) => runCommand(words, settingsFor(url))

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = await connect(url)
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function dump(url: string) {
  const { migrations, moved_to, ...tables } = await onOneConnection({ connectionString: url }, dumpTables)
  return tables
}

/** Stops a move in its middle, at its first statement on the target. @returns lets it go on */
async function holdMove(target: string): Promise<() => Promise<void>> {
  const holder = await connect(target)
  await holder.query(`select pg_advisory_lock(hashtext('migrations'))`)
  return () => holder.end()
}

const isMoveHeld = async (target: string) =>
  (await query(target, `select from pg_locks where locktype = 'advisory' and not granted`)).length > 0

const book = (url: string, token: string, id: number) =>
  fetch(`${url}/api/course/coursebooking`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', SessionToken: token },
    body: JSON.stringify({ id }),
  })

test('a stopped portal moves with everything, a running one is refused, and the old database stays closed', async () => {
  const portal = await createPortal()
  await createPersonTraces(portal.db)
  const user = await insertUserWithSession(portal.db)
  const target = await createEmptyDatabase(portal.url)
  const running = startPortal(settingsFor(portal.url))
  await running.url()
  const refused = await run(portal.url, 'move', target)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('Stop the portal first')
  await stopPortals()
  // A session without a name, which nothing refuses, waits for the lock when the move ends.
  const waiting = await connect(portal.url)
  const letGo = await holdMove(target)
  const moving = run(portal.url, 'move', target)
  await expect.poll(() => isMoveHeld(target), { timeout: 20_000 }).toBe(true)
  const late = waiting.query(`update web_users set city = 'late' where id = ${user.id}`)
  const outcome = late.catch((error: pg.DatabaseError) => error.code)
  await letGo()
  expect(await moving).toMatchObject({ status: 0, stderr: '' })
  expect(await outcome).toBe('25006')
  await waiting.end()

  expect(await dump(target)).toEqual(await dump(portal.url))
  expect(await query(target, `select from sessions where web_user_id = ${user.id}`)).toHaveLength(1)
  await expect(query(portal.url, `delete from sessions`)).rejects.toMatchObject({ code: '25006' })

  const old = startPortal(settingsFor(portal.url))
  expect(await old.ended).toBe(1)
  const { host, pathname } = new URL(target)
  expect(old.errors()).toContain(`The rows of this database were moved to ${host}${pathname} at `)
  for (const words of [['move', target], ['backup', join(folder, 'old.zip')], ['audit']])
    expect((await run(portal.url, ...words)).stderr).toContain('The rows of this database were moved to')

  expect(await run(portal.url, 'move', '--undo')).toMatchObject({ status: 0, stderr: '' })
  expect((await run(portal.url, 'move', '--undo')).stderr).toContain('The rows of this database were not moved')
  await query(portal.url, `update web_users set city = 'back' where id = ${user.id}`)
  const back = startPortal(settingsFor(portal.url))
  await back.url()
  await stopPortals()
  expect((await run(portal.url, 'move', target)).stderr).toContain('has tables already')
}, 120_000)

test('a portal that starts during a move acknowledges nothing that stays behind', async () => {
  const portal = await createPortal()
  const { id } = await insertCourse(portal.db, { capacity: 5 })
  const person = await insertUserWithSession(portal.db)
  const target = await createEmptyDatabase(portal.url)
  const bookings = (url: string) => query(url, `select from bookings where course_id = ${id}`)
  const letGo = await holdMove(target)
  const moving = run(portal.url, 'move', target)
  await expect.poll(() => isMoveHeld(target), { timeout: 20_000 }).toBe(true)
  const started = startPortal(settingsFor(portal.url))
  const url = await started.url()
  // Nothing is written while the rows are read, so nothing is acknowledged.
  expect((await book(url, person.token, id)).status).toBe(503)
  await letGo()
  const moved = await moving
  expect(moved).toMatchObject({ status: 1, stdout: '' })
  expect(moved.stderr).toContain('Nothing was moved')
  expect(await query(target, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  await expect.poll(async () => (await book(url, person.token, id)).status, { timeout: 10_000 }).toBe(200)
  await stopPortals()

  expect(await run(portal.url, 'move', target)).toMatchObject({ status: 0, stderr: '' })
  expect(await bookings(target)).toHaveLength(1)
}, 120_000)

test('an embedded database moves, and starts no portal during and after it', async () => {
  const near = await createPortal()
  const dataDir = await makeFolder()
  const settings = { DATA_DIR: dataDir, OFFICE_PASSKEY: 'off', DEMO: 'off' }
  const first = startPortal(settings)
  const email = 'moved@demo.example'
  const response = await fetch(`${await first.url()}/api/webuser/register`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=test', 'X-XSRF-TOKEN': 'test' },
    body: JSON.stringify({ ...completeInput(2, 3), email }),
  })
  expect(await response.json()).toMatchObject({ status: 'Ok' })
  await stopPortals()

  const target = await createEmptyDatabase(near.url)
  const letGo = await holdMove(target)
  const moving = runCommand(['move', target], settings)
  await expect.poll(() => isMoveHeld(target), { timeout: 30_000 }).toBe(true)
  const during = startPortal(settings)
  expect(await during.ended).toBe(1)
  expect(during.errors()).toMatch(/DATA_DIR .* is in use by process \d+ \(move\)/)
  await letGo()
  expect(await moving).toMatchObject({ status: 0, stderr: '' })
  expect(await query(target, `select from web_users where email = '${email}'`)).toHaveLength(1)

  const after = startPortal(settings)
  expect(await after.ended).toBe(1)
  expect(after.errors()).toContain('The rows of this database were moved to')
  expect(await runCommand(['move', '--undo'], settings)).toMatchObject({ status: 0, stderr: '' })
  await startPortal(settings).url()
}, 180_000)

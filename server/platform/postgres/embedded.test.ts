// @module-tag extended
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { appendFile, chmod, chown, cp, mkdir, open as openFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { DataDirInUseError } from '#server/platform/process/start-error.ts'
import { copyCluster, isServerUp, open, readPostmasterPid, startChild, testFolders } from '#server/test/cluster.ts'

const { make, remove } = testFolders()
const connect = ({ connection }: { connection: object }) => openDatabase({ connection, timeZone: 'UTC', poolSize: 2 })
let stopped: string

/** Creates a folder with a stopped cluster that contains one row. */
const makeCluster = async () => {
  const folder = await make()
  await copyCluster(stopped, folder)
  return folder
}

beforeAll(async () => {
  stopped = await make()
  const embedded = await open(stopped)
  const db = connect(embedded)
  await db.execute(sql`create table notes as select 'kept' as text`)
  await db.close()
  await embedded.stop()
})
afterAll(remove)

test('data survives a restart, and no server is left behind', async () => {
  expect(await isServerUp(stopped)).toBe(false)
  const embedded = await open(stopped)
  const db = connect(embedded)
  expect(await db.query(sql`select text from notes`)).toEqual([{ text: 'kept' }])
  expect(
    await db.one(sql`select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
    current_setting('data_checksums') as checksums, lower('ÄÖÜ') as lower`),
  ).toEqual({ version: 18, fsync: 'on', checksums: 'on', lower: 'äöü' })
  await db.close()
  await embedded.stop()
  expect(await isServerUp(stopped)).toBe(false)
})

describe('while a portal runs in another process', () => {
  test('a second portal is rejected with the name of the first, and disturbs nothing', async () => {
    const folder = await makeCluster()
    const portal = startChild(folder, 'portal', { label: 'http://127.0.0.1:8080' })
    expect(await portal.firstLine()).toBe('open')
    portal.send('write')
    const refusal = await open(folder).catch(error => error)
    expect(refusal).toBeInstanceOf(DataDirInUseError)
    expect(refusal.message).toBe(`DATA_DIR ${folder} is in use by process ${portal.pid} (http://127.0.0.1:8080)`)
    const written = portal.lines.length
    await expect.poll(() => portal.lines.length).toBeGreaterThan(written)
    await portal.kill()
    const next = await open(folder)
    await next.stop()
    expect(await isServerUp(folder)).toBe(false)
  })

  test('a tool works concurrently, and the last user stops the server', async () => {
    const folder = await makeCluster()
    const portal = startChild(folder, 'portal')
    expect(await portal.firstLine()).toBe('open')
    const tool = await open(folder, 'tool')
    const db = connect(tool)
    portal.send('stop')
    await portal.ended
    expect(portal.lines).toEqual(['open', 'stopped'])
    expect(await db.query(sql`select text from notes`)).toEqual([{ text: 'kept' }])
    await db.close()
    await tool.stop()
    expect(await isServerUp(folder)).toBe(false)
  })
})

test('a portal and tools that start concurrently on an empty folder share one server', async () => {
  const folder = await make()
  const children = [startChild(folder, 'portal'), startChild(folder, 'tool'), startChild(folder, 'tool')]
  expect(await Promise.all(children.map(child => child.firstLine()))).toEqual(['open', 'open', 'open'])
  for (const child of children) child.send('stop')
  await Promise.all(children.map(child => child.ended))
  expect(children.map(child => child.lines.at(-1))).toEqual(['stopped', 'stopped', 'stopped'])
  expect(await isServerUp(folder)).toBe(false)
}, 60_000)

test('tools that start and end at any time always get a server', async () => {
  const folder = await makeCluster()
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  console.log(`SEED=${seed}`)
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const visit = async () => {
    for (let round = 0; round < 6; round++) {
      await sleep(random() * 60)
      const tool = await open(folder, 'tool')
      const db = connect(tool)
      expect(await db.query(sql`select text from notes`)).toEqual([{ text: 'kept' }])
      await db.close()
      await tool.stop()
    }
  }
  await Promise.all([visit(), visit(), visit()])
  expect(await isServerUp(folder)).toBe(false)
})

test.each([0, 30, 100, 200, 300, 500])('a stop %i ms after the server died leaves no server behind', async ms => {
  const folder = await makeCluster()
  const embedded = await open(folder)
  process.kill(await readPostmasterPid(folder), 'SIGKILL')
  await sleep(ms)
  await embedded.stop()
  // A server that was still starting would be running by then.
  await sleep(500)
  expect(await isServerUp(folder)).toBe(false)
})

test('a stop during a server restart leaves no server behind, even before its lock file exists', async () => {
  const folder = await makeCluster()
  const included = join(folder, 'postgres/included.conf')
  await appendFile(join(folder, 'postgres/postgresql.conf'), "include 'included.conf'\n")
  await writeFile(included, '', { mode: 0o644 })
  const embedded = await open(folder)
  await rm(included)
  // Reading the pipe blocks until something is written, and the server reads its settings before it writes the lock
  // file.
  await promisify(execFile)('mkfifo', ['--mode=644', included])
  process.kill(await readPostmasterPid(folder), 'SIGKILL')
  const pipe = await openForReader(included)
  const stopping = embedded.stop()
  await sleep(200)
  // The server reads its settings more than once.
  await rm(included)
  await writeFile(included, '', { mode: 0o644 })
  await pipe.close()
  await stopping
  // A server that was still starting would be running by then.
  await sleep(500)
  expect(await isServerUp(folder)).toBe(false)
}, 30_000)

/** Opens a named pipe for writing as soon as it has a reader. */
async function openForReader(path: string) {
  for (;;) {
    // The pipe has no reader yet.
    const pipe = await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null)
    if (pipe) return pipe
    await sleep(5)
  }
}

test('a stop during a server restart leaves no server behind, however long the restart would take', async () => {
  const folder = await makeCluster()
  const embedded = await open(folder, 'portal', { settings: { restore_command: 'sleep 15' } })
  await writeFile(join(folder, 'postgres/recovery.signal'), '', { mode: 0o644 })
  const dead = await readPostmasterPid(folder)
  process.kill(dead, 'SIGKILL')
  await expect
    .poll(async () => (await isServerUp(folder)) && (await readPostmasterPid(folder)) !== dead, { timeout: 10_000 })
    .toBe(true)
  await embedded.stop()
  expect(await isServerUp(folder)).toBe(false)
}, 30_000)

test('a server that dies is restarted, and the portal keeps its lock', async () => {
  const folder = await makeCluster()
  const embedded = await open(folder)
  const db = connect(embedded)
  await db.execute(sql`insert into notes values ('committed')`)
  const before = await readPostmasterPid(folder)
  process.kill(before, 'SIGKILL')
  const claims = sql`select mode from pg_locks where locktype = 'advisory' and granted`
  const inspect = async () => ({
    isNew: (await readPostmasterPid(folder)) !== before,
    claims: (await db.query(claims)).length,
  })
  await expect.poll(() => inspect().catch(() => null), { timeout: 10_000 }).toEqual({ isNew: true, claims: 2 })
  expect(await db.query(sql`select text from notes`)).toHaveLength(2)
  await expect(open(folder)).rejects.toBeInstanceOf(DataDirInUseError)
  await db.close()
  await embedded.stop()
  expect(await isServerUp(folder)).toBe(false)
})

test('restarting the server is retried until it succeeds', { timeout: 30_000 }, async () => {
  const folder = await makeCluster()
  const lost: Error[] = []
  const embedded = await open(folder, 'portal', { onLost: error => lost.push(error) })
  const control = join(folder, 'postgres/global/pg_control')
  await rename(control, `${control}.away`)
  process.kill(await readPostmasterPid(folder), 'SIGKILL')
  await sleep(2_000)
  await rename(`${control}.away`, control)
  const db = connect(embedded)
  const ask = () => db.one(sql`select 1 as alive`).catch(() => null)
  await expect.poll(ask, { timeout: 20_000 }).toEqual({ alive: 1 })
  expect(lost).toEqual([])
  await db.close()
  await embedded.stop()
})

test('a copy of a running folder gets a server of its own', async () => {
  const folder = await makeCluster()
  const original = await open(folder)
  const copy = await make()
  await cp(join(folder, 'postgres'), join(copy, 'postgres'), {
    recursive: true,
    filter: path => !path.endsWith('.5432'),
  })
  const other = await open(copy)
  const db = connect({ connection: { ...other.connection, user: 'portal' } })
  expect(await db.one(sql`select current_setting('data_directory') as folder`)).toEqual({
    folder: join(copy, 'postgres'),
  })
  await db.close()
  await other.stop()
  expect(await isServerUp(folder)).toBe(true)
  await original.stop()
})

test('a lock file whose process id belongs to another program does not prevent the start', async () => {
  const folder = await makeCluster()
  const lock = join(folder, 'postgres/postmaster.pid')
  await writeFile(lock, `${process.pid}\n${folder}/postgres\n1\n5432\n.\n\n12345 1\nready   \n`)
  const embedded = await open(folder)
  await embedded.stop()
})

test('folders with spaces and with paths too long for a socket work', async () => {
  const folder = join(await make(), 'Kurse und "mehr"', 'lang '.repeat(20))
  await mkdir(folder, { recursive: true })
  const embedded = await open(folder)
  const db = connect(embedded)
  expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 })
  await db.close()
  const beside = await open(folder, 'tool')
  await beside.stop()
  await embedded.stop()
  expect(await isServerUp(folder)).toBe(false)
  await rm(folder, { recursive: true })
})

test('DATA_DIR is restricted to its owner unless it has other content', async () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  const openOnce = async (folder: string) => (await open(folder)).stop()
  const parent = await make()
  await openOnce(join(parent, 'new/data'))
  expect(await modeOf(join(parent, 'new/data'))).toBe(0o700)

  const older = await makeCluster()
  await mkdir(join(older, 'outbox'))
  for (const folder of [older, join(older, 'outbox')]) await chmod(folder, 0o755)
  await openOnce(older)
  expect([await modeOf(older), await modeOf(join(older, 'outbox'))]).toEqual([0o700, 0o700])

  const shared = await makeCluster()
  await writeFile(join(shared, 'notes of somebody else'), '')
  await chmod(shared, 0o755)
  await openOnce(shared)
  expect(await modeOf(shared)).toBe(0o755)
})

test.runIf(process.getuid?.() === 0)(
  'root creates a new database for the owner of DATA_DIR, as when restoring a service',
  async () => {
    const folder = await make()
    const daemon = { uid: 1, gid: 1 }
    await chown(folder, daemon.uid, daemon.gid)
    await chmod(folder, 0o700)
    await (await open(folder)).stop()
    expect(await stat(join(folder, 'postgres'))).toMatchObject(daemon)
  },
)

test('the portal is no superuser, and owns what an older version created as superuser', async () => {
  const folder = await makeCluster()
  const first = await open(folder)
  const superuser = openDatabase({ connection: { ...first.connection, user: 'portal' }, timeZone: 'UTC', poolSize: 1 })
  await superuser.execute(sql`create table old (id integer generated always as identity primary key, text text)`)
  await superuser.execute(sql`create function old_answer() returns integer language sql as 'select 42'`)
  await superuser.close()
  await first.stop()

  const embedded = await open(folder)
  const db = connect(embedded)
  await db.execute(sql`alter table old add column more text`)
  await db.execute(sql`alter table notes add column more text`)
  await db.execute(sql`insert into old (text) values ('new')`)
  await db.execute(sql`create or replace function old_answer() returns integer language sql as 'select 43'`)
  expect(await db.one(sql`select current_setting('is_superuser') as superuser`)).toEqual({ superuser: 'off' })
  await expect(db.execute(sql`copy old (text) from program 'id'`)).rejects.toThrow('permission denied')
  await expect(db.one(sql`select pg_read_file('PG_VERSION')`)).rejects.toThrow('permission denied')
  await db.close()
  await embedded.stop()
})

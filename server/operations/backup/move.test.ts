// @module-tag extended
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { completeInput } from '#contract/test/profiles.ts'
import { runCommand, startCommand } from '#server/test/command.ts'
import { connect, createEmptyDatabase, dump, holdCopy, makeFolder, query } from '#server/test/copies.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

afterEach(stopPortals)

const settingsFor = (url: string, folder: string) => ({ DATABASE_URL: url, DATA_DIR: folder, OFFICE_PASSKEY: 'off' })

async function createScene() {
  const [portal, folder, target] = [await createTestDatabase(), await makeFolder(), await createEmptyDatabase()]
  onTestFinished(portal.close)
  const settings = settingsFor(portal.url, folder)
  const run = (...words: string[]) => runCommand(words, settings)
  return { portal, folder, target, settings, run }
}

const book = (url: string, token: string, id: number) =>
  fetch(`${url}/api/course/coursebooking`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', SessionToken: token },
    body: JSON.stringify({ id }),
  })

test('a stopped portal is moved completely, a running one is rejected, and the old database remains fenced', async () => {
  const { portal, folder, target, settings, run } = await createScene()
  await createPersonTraces(portal.db)
  const user = await insertUserWithSession(portal.db)
  const running = startPortal(settings)
  await running.url()
  const refused = await run('move', target)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain('Stop the portal first')
  await stopPortals()
  // A session without a label, which is not detected as a portal, waits for the lock when the move ends.
  const waiting = await connect(portal.url)
  const held = await holdCopy(target)
  const moving = run('move', target)
  await expect.poll(held.isReached, { timeout: 20_000 }).toBe(true)
  const late = waiting.query(`update web_users set city = 'late' where id = ${user.id}`)
  const outcome = late.catch((error: pg.DatabaseError) => error.code)
  await held.release()
  expect(await moving).toMatchObject({ status: 0, stderr: '' })
  expect(await outcome).toBe('25006')
  await waiting.end()

  expect(await dump(target)).toEqual(await dump(portal.url, ['moved_to']))
  expect(await query(target, `select from sessions where web_user_id = ${user.id}`)).toHaveLength(1)
  await expect(query(portal.url, `delete from sessions`)).rejects.toMatchObject({ code: '25006' })

  const old = startPortal(settings)
  expect(await old.ended).toBe(1)
  const { host, pathname } = new URL(target)
  expect(old.errors()).toContain(`The rows of this database were moved to ${host}${pathname} at `)
  for (const words of [['move', target], ['backup', join(folder, 'old.zip')], ['audit']])
    expect((await run(...words)).stderr).toContain('The rows of this database were moved to')

  expect(await run('move', '--undo')).toMatchObject({ status: 0, stderr: '' })
  expect((await run('move', '--undo')).stderr).toContain('The rows of this database were not moved')
  await query(portal.url, `update web_users set city = 'back' where id = ${user.id}`)
  const back = startPortal(settings)
  await back.url()
  await stopPortals()
  expect((await run('move', target)).stderr).toContain('has tables already')
}, 120_000)

test('a portal that starts during a move acknowledges nothing that the copy lacks', async () => {
  const { portal, target, settings, run } = await createScene()
  const { id } = await insertCourse(portal.db, { capacity: 5 })
  const person = await insertUserWithSession(portal.db)
  const bookings = (url: string) => query(url, `select from bookings where course_id = ${id}`)
  const held = await holdCopy(target)
  const moving = run('move', target)
  await expect.poll(held.isReached, { timeout: 20_000 }).toBe(true)
  const started = startPortal(settings)
  const url = await started.url()
  // Nothing can be written while the rows are read, so nothing is acknowledged.
  expect((await book(url, person.token, id)).status).toBe(503)
  await held.release()
  const moved = await moving
  expect(moved).toMatchObject({ status: 1, stdout: '' })
  expect(moved.stderr).toContain('Nothing was moved')
  expect(await query(target, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  await expect.poll(async () => (await book(url, person.token, id)).status, { timeout: 10_000 }).toBe(200)
  await stopPortals()

  expect(await run('move', target)).toMatchObject({ status: 0, stderr: '' })
  expect(await bookings(target)).toHaveLength(1)
}, 120_000)

test('an embedded database is moved, and no portal starts on it during or after the move', async () => {
  const target = await createEmptyDatabase()
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

  const held = await holdCopy(target)
  const moving = runCommand(['move', target], settings)
  await expect.poll(held.isReached, { timeout: 30_000 }).toBe(true)
  const during = startPortal(settings)
  expect(await during.ended).toBe(1)
  expect(during.errors()).toMatch(/DATA_DIR .* is in use by process \d+ \(move\)/)
  await held.release()
  expect(await moving).toMatchObject({ status: 0, stderr: '' })
  expect(await query(target, `select from web_users where email = '${email}'`)).toHaveLength(1)

  const after = startPortal(settings)
  expect(await after.ended).toBe(1)
  expect(after.errors()).toContain('The rows of this database were moved to')
  expect(await runCommand(['move', '--undo'], settings)).toMatchObject({ status: 0, stderr: '' })
  await startPortal(settings).url()
}, 180_000)

/** Lets a move wait between the commit of the new database and that of the old one. */
async function holdOldCommit(url: string) {
  await query(
    url,
    `create function wait_at_commit() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(77); return null; end $$;
    create function make_commit_wait() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity like '%.moved_to') then
        create constraint trigger wait after insert on moved_to deferrable initially deferred
          for each row execute function wait_at_commit();
      end if; end $$;
    create event trigger wait_for_fence on ddl_command_end when tag in ('CREATE TABLE') execute function make_commit_wait()`,
  )
  const holder = await connect(url)
  await holder.query('select pg_advisory_lock(77)')
  const waiting = () =>
    query<{ pid: number }>(url, `select pid from pg_locks where locktype = 'advisory' and objid = 77 and not granted`)
  const release = async () => {
    await holder.end()
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([])
    await query(url, 'begin read write; drop event trigger wait_for_fence; commit')
  }
  return { waiting, release }
}

test.each([
  { what: 'before the old database commits, it stays the valid one', isCommitted: false },
  { what: 'while the old database commits, the new one is the valid one', isCommitted: true },
])('a move killed between its commits: $what', { timeout: 120_000 }, async ({ isCommitted }) => {
  const { portal, target, settings, run } = await createScene()
  const { id } = await insertCourse(portal.db, { capacity: 5 })
  const person = await insertUserWithSession(portal.db)
  const held = await holdOldCommit(portal.url)
  const moving = startCommand(['move', target], settings)
  await expect.poll(async () => (await held.waiting()).length, { timeout: 60_000 }).toBe(1)
  expect(await dump(target)).toEqual(await dump(portal.url))
  moving.kill('SIGKILL')
  if (!isCommitted)
    for (const { pid } of await held.waiting()) await query(portal.url, `select pg_terminate_backend(${pid})`)
  await held.release()

  const [valid, other] = isCommitted ? [target, portal.url] : [portal.url, target]
  const started = startPortal({ ...settings, DATABASE_URL: valid })
  expect((await book(await started.url(), person.token, id)).status).toBe(200)
  await stopPortals()
  if (isCommitted) {
    const old = startPortal({ ...settings, DATABASE_URL: other })
    expect(await old.ended).toBe(1)
    expect(old.errors()).toContain('The rows of this database were moved to')
    return
  }
  // The complete copy has to be emptied, so that nobody takes it for the portal.
  expect((await run('move', other)).stderr).toContain('has tables already')
  const empty = await createEmptyDatabase()
  expect(await run('move', empty)).toMatchObject({ status: 0 })
  expect(await query(empty, `select from bookings where course_id = ${id}`)).toHaveLength(1)
})

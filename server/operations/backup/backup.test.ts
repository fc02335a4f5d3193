// @module-tag extended
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOKING_STATUS } from '#contract/values.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { migrate, migrationsFolder } from '#server/platform/db/migrate.ts'
import { runCommand, startCommand } from '#server/test/command.ts'
import { createEmptyDatabase, dump } from '#server/test/copies.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { EARLIER_ROWS } from '#server/test/earlier-rows.ts'
import { insertBooking, insertContentFile, insertCourse, insertWebUser } from '#server/test/factories.ts'
import { createPersonTraces } from '#server/test/person.ts'

import { openArchive } from './archive.ts'
import { saveDeletedAccounts } from './deleted-accounts.ts'

let portal: TestDatabase
let folder: string
beforeAll(async () => {
  portal = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  await createPersonTraces(portal.db)
  await insertContentFile(portal.db, 'odd.bin', 'image/png', Buffer.from([0, 9, 10, 13, 92, 255, 0]))
})
afterAll(async () => {
  await portal.close()
  await rm(folder, { recursive: true })
})

const settingsFor = (url: string) => ({ DATABASE_URL: url, DATA_DIR: folder, INIT_CWD: folder })
const run = (url: string, ...words: string[]) => runCommand(words, settingsFor(url))

const count = async (url: string, from: string) => {
  const db = openDatabase({ connection: { connectionString: url }, timeZone: 'UTC', poolSize: 1 })
  return db.one<{ count: number }>(sql`select count(*)::int as count from ${sql.raw(from)}`).finally(() => db.close())
}
/** Tables that a restore empties or writes to. */
const OTHERS = ['outgoing_hold', 'sessions', 'account_tokens', 'passkey_challenges', 'company_logins', 'web_users']

test('a restored backup has the same rows, continues the sequences and ends all sessions', async () => {
  const before = await dump(portal.url, OTHERS)
  expect(await run(portal.url, 'backup', 'whole.zip')).toMatchObject({ status: 0, stderr: '' })
  expect((await stat(join(folder, 'whole.zip'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).not.toContain('whole.zip.part')

  const target = await createEmptyDatabase()
  const restored = await run(target, 'restore', 'whole.zip')
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(restored.stdout).toContain('each row compared')
  expect(await dump(target, OTHERS)).toEqual(before)
  expect(await count(target, 'sessions')).toEqual({ count: 0 })
  expect(await count(target, 'web_users')).toEqual(await count(portal.url, 'web_users'))
  expect(await run(target, 'audit')).toEqual(await run(portal.url, 'audit'))

  // A new row gets a new number. Without the sequences, it would get an existing one.
  const db = openDatabase({ connection: { connectionString: target }, timeZone: 'Europe/Berlin', poolSize: 1 })
  await insertWebUser(db)
  await db.close()

  const again = await run(target, 'restore', 'whole.zip')
  expect(again).toMatchObject({ status: 1, stdout: '' })
  expect(again.stderr).toMatch(/^The database has tables already .* rows are written into an empty one only/)
}, 120_000)

test('a backup contains concurrent transactions completely or not at all', async () => {
  const course = await insertCourse(portal.db, { capacity: 10_000 })
  let isWriting = true
  const writing = (async () => {
    while (isWriting)
      await portal.db.transaction(async tx => insertBooking(tx, course.id, (await insertWebUser(tx)).id))
  })()
  const saved = await run(portal.url, 'backup', 'busy.zip')
  isWriting = false
  await writing
  expect(saved.status).toBe(0)
  const target = await createEmptyDatabase()
  expect(await run(target, 'restore', 'busy.zip')).toMatchObject({ status: 0, stderr: '' })
  const { count: booked } = await count(target, `bookings where course_id = ${course.id}`)
  expect(await count(target, `courses where id = ${course.id} and taken = ${booked}`)).toEqual({ count: 1 })
}, 120_000)

test('an account deleted after the backup stays deleted, and its seat goes to the waiting list', async () => {
  const course = await insertCourse(portal.db, { capacity: 1 })
  const gone = await insertWebUser(portal.db)
  const next = await insertWebUser(portal.db)
  await insertBooking(portal.db, course.id, gone.id)
  await insertBooking(portal.db, course.id, next.id)
  const stays = await insertWebUser(portal.db)
  await portal.db.execute(sql`insert into deleted_accounts values (${stays.id}, clock_timestamp() - interval '1 day')`)
  expect((await run(portal.url, 'backup', 'people.zip')).status).toBe(0)
  await portal.db.execute(sql`insert into deleted_accounts values (${gone.id})`)
  expect(await saveDeletedAccounts(portal.db, folder)).toBe(2)
  expect(await saveDeletedAccounts(portal.db, folder)).toBe(0)

  const target = await createEmptyDatabase()
  const restored = await run(target, 'restore', 'people.zip')
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(restored.stdout).toContain('deleted-accounts: 1, deleted again')
  expect(await count(target, `web_users where id = ${gone.id}`)).toEqual({ count: 0 })
  expect(await count(target, `mails where recipient = '${gone.email}'`)).toEqual({ count: 0 })
  expect(await count(target, `web_users where id = ${stays.id}`)).toEqual({ count: 1 })
  expect(await count(target, `bookings where web_user_id = ${next.id} and state = ${BOOKING_STATUS.Booked}`)).toEqual({
    count: 1,
  })
  expect((await run(target, 'audit')).stdout).not.toContain(`course ${course.number}: counts`)
  await rm(join(folder, 'deleted-accounts'))
}, 120_000)

test('a backup of an older version is restored and migrated to the current schema', async () => {
  const older = await createEmptyDatabase()
  const migrations = join(folder, 'migrations')
  await mkdir(migrations)
  const db = openDatabase({ connection: { connectionString: older }, timeZone: 'Europe/Berlin', poolSize: 1 })
  for (const file of (await readdir(migrationsFolder)).sort().slice(0, 18)) {
    await cp(join(migrationsFolder, file), join(migrations, file))
    await migrate(db, migrations)
    const rows = EARLIER_ROWS[Number(file.slice(0, 4))]
    if (rows) await db.execute(sql.raw(rows))
  }
  await db.close()
  expect(await run(older, 'backup', 'older.zip')).toMatchObject({ status: 0, stderr: '' })
  await writeFile(join(folder, 'deleted-accounts'), `3 ${new Date().toISOString()}\n`)
  const target = await createEmptyDatabase()
  expect(await run(target, 'restore', 'older.zip')).toMatchObject({ status: 0, stderr: '' })
  await rm(join(folder, 'deleted-accounts'))
  expect(await count(target, `bookings where state = 1 and cancelled_at is null and web_user_id in (1, 3)`)).toEqual({
    count: 2,
  })
  expect(await count(target, 'web_users where id = 3')).toEqual({ count: 0 })
  expect(await run(target, 'audit')).toMatchObject({ status: 0, stderr: '' })
}, 120_000)

test('a damaged file, a file that is not a backup, and a kill leave the database empty', async () => {
  const target = await createEmptyDatabase()
  const whole = await readFile(join(folder, 'whole.zip'))
  // Damages rows at the beginning, the central directory at the end, and the first bytes of the file.
  for (const [name, at] of Object.entries({ rows: 0.1, directory: 0.8, start: 0 })) {
    const damaged = Buffer.from(whole)
    const from = Math.floor(whole.length * at)
    damaged.fill(0x55, from, from + 200)
    await writeFile(join(folder, `${name}.zip`), damaged)
  }
  await writeFile(join(folder, 'short.zip'), whole.subarray(0, whole.length / 2))
  await writeFile(join(folder, 'other.zip'), 'not a zip at all')
  for (const file of ['rows.zip', 'directory.zip', 'start.zip', 'short.zip', 'other.zip', 'missing.zip']) {
    const { status, stdout, stderr } = await run(target, 'restore', file)
    expect({ file, status, stdout }).toEqual({ file, status: 1, stdout: '' })
    expect(stderr).toContain(file)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  // Whichever byte of the central directory is damaged, the message names the file.
  const beginOfDirectory = whole.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  const inDirectory = fc.integer({ min: beginOfDirectory, max: whole.length - 1 })
  await fc.assert(
    fc.asyncProperty(inDirectory, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(at) ^ mask, at)
      const path = join(folder, 'byte.zip')
      await writeFile(path, damaged)
      const read = async () => {
        const archive = await openArchive(path)
        try {
          for (const table of archive.tables) (await archive.open(table)).destroy()
        } finally {
          archive.close()
        }
      }
      await read().catch(error =>
        expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining(path) }),
      )
    }),
    { numRuns: 150 },
  )
  const child = startCommand(['restore', 'whole.zip'], settingsFor(target))
  const isBusy = async () =>
    (await count(target, `pg_stat_activity where datname = current_database() and query ilike 'copy%'`)).count > 0
  while (child.exitCode === null && !(await isBusy())) await sleep(5)
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('close', resolve))
  expect(await count(target, `pg_class where relnamespace = 'public'::regnamespace`)).toEqual({ count: 0 })
  expect((await run(target, 'restore', 'whole.zip')).status).toBe(0)
}, 120_000)

test('a file is never overwritten, and --keep retains the newest files in a folder', async () => {
  expect((await run(portal.url, 'backup', '')).status).toBe(2)
  await writeFile(join(folder, 'plain'), '')
  for (const name of ['plain', 'absent'])
    expect((await run(portal.url, 'backup', `${name}/a.zip`)).stderr).toMatch(
      new RegExp(`^\\S+/${name}/a\\.zip cannot be there: \\S+/${name} is no folder\\n$`),
    )
  const before = await readFile(join(folder, 'whole.zip'))
  expect(await run(portal.url, 'backup', 'whole.zip')).toMatchObject({ status: 1, stdout: '' })
  expect((await readFile(join(folder, 'whole.zip'))).equals(before)).toBe(true)
  const kept = join(folder, 'nightly')
  await mkdir(kept)
  await writeFile(join(kept, 'portal-20200101T000000Z.zip'), 'old')
  await writeFile(join(kept, 'portal-20210101T000000Z.zip'), 'newer')
  await writeFile(join(kept, 'mine.zip'), 'another')
  expect((await run(portal.url, 'backup', kept, '--keep', '2')).status).toBe(0)
  const names = await readdir(kept)
  expect(names.sort().slice(0, 2)).toEqual(['mine.zip', 'portal-20210101T000000Z.zip'])
  expect(names).toHaveLength(3)
  expect((await run(portal.url, 'backup')).status).toBe(2)
  expect((await run(portal.url, 'backup', 'x.zip', '--keep', 'two')).status).toBe(2)
}, 120_000)

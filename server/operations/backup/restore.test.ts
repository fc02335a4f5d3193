// @module-tag extended
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { runCommand, startCommand } from '#server/test/command.ts'
import { connect, createEmptyDatabase, holdCopy, makeFolder, query } from '#server/test/copies.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { insertContentFile, insertWebUser } from '#server/test/factories.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { readLastBackup } from './backup-state.ts'
import { saveDeletedAccounts } from './deleted-accounts.ts'

afterEach(stopPortals)

async function createScene() {
  const [portal, folder] = [await createTestDatabase(), await makeFolder()]
  onTestFinished(portal.close)
  const run = (url: string, ...words: string[]) =>
    runCommand(words, { DATABASE_URL: url, DATA_DIR: folder, INIT_CWD: folder })
  return { portal, folder, run }
}

/** Writes another backup with the same entries except those that `change` returns. */
async function rewriteZip(from: string, to: string, change: (entries: Map<string, Buffer>) => void) {
  const entries = new Map<string, Buffer>()
  const zip = await yauzl.openPromise(from, { autoClose: false })
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  zip.close()
  change(entries)
  const out = new yazl.ZipFile()
  for (const [name, content] of entries) out.addBuffer(content, name)
  out.end()
  await pipeline(out.outputStream, createWriteStream(to))
}

/** Changes everybody's city and adjusts the hashes. */
function forgeCity(entries: Map<string, Buffer>) {
  const name = 'tables/web_users.txt'
  const changed = Buffer.from(String(entries.get(name)).replaceAll('Hannover', 'Nirgends'))
  expect(changed.equals(entries.get(name) ?? changed)).toBe(false)
  entries.set(name, changed)
  const manifest = JSON.parse(String(entries.get('manifest.json')))
  for (const table of manifest.tables)
    if (table.name === 'web_users')
      Object.assign(table, { bytes: changed.length, sha256: createHash('sha256').update(changed).digest('hex') })
  entries.set('manifest.json', Buffer.from(JSON.stringify(manifest, null, 1)))
}

test('a modified or unsigned backup is restored only with the operator’s consent', async () => {
  const { portal, folder, run } = await createScene()
  await insertWebUser(portal.db, { city: 'Hannover' })
  const saved = await run(portal.url, 'backup', 'whole.zip')
  const key = /Signed with the key ([0-9a-f]{64})\./.exec(saved.stdout)?.[1] ?? ''
  expect(key).not.toBe('')
  expect((await stat(join(folder, 'backup-key'))).mode & 0o777).toBe(0o600)
  expect((await run(portal.url, 'backup', 'second.zip')).stdout).toContain(key)
  const pem = await readFile(join(folder, 'backup-key'))
  await writeFile(join(folder, 'backup-key'), pem.subarray(0, 40))
  expect(await run(portal.url, 'backup', 'third.zip')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^[^\n]*backup-key is damaged: [^\n]*\n$/),
  })
  await writeFile(join(folder, 'backup-key'), pem)

  await rewriteZip(join(folder, 'whole.zip'), join(folder, 'changed.zip'), forgeCity)
  await rewriteZip(join(folder, 'whole.zip'), join(folder, 'unsigned.zip'), entries => entries.delete('manifest.sig'))
  const target = await createEmptyDatabase()
  for (const [file, words] of [
    ['changed.zip', 'was changed: its signature does not fit its content'],
    ['unsigned.zip', 'is not signed'],
  ] as const) {
    const refused = await run(target, 'restore', file)
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).toContain('npm run restore -- FILE --unsigned')
    expect((await run(target, 'restore', file, '--key', key)).status).toBe(1)
  }
  expect(await run(target, 'restore', 'unsigned.zip', '--unsigned')).toMatchObject({ status: 0, stderr: '' })
}, 120_000)

test('on a new machine, the key printed by the backup is accepted, and a forger’s key is not', async () => {
  const { portal, folder, run } = await createScene()
  await insertWebUser(portal.db, { city: 'Hannover' })
  const saved = await run(portal.url, 'backup', 'whole.zip')
  const key = /Signed with the key ([0-9a-f]{64})\./.exec(saved.stdout)?.[1] ?? ''
  const target = await createEmptyDatabase()
  const newMachine = await makeFolder()
  const restore = (...words: string[]) =>
    runCommand(['restore', join(folder, 'whole.zip'), ...words], { DATABASE_URL: target, DATA_DIR: newMachine })
  const refused = await restore()
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toContain(`is signed with the key ${key}, which nothing here proves`)
  // The machine has a key of its own, as after its first backup.
  await run(portal.url, 'backup', 'x.zip')
  expect(
    (await runCommand(['backup', join(newMachine, 'own.zip')], { DATABASE_URL: portal.url, DATA_DIR: newMachine }))
      .status,
  ).toBe(0)
  expect((await restore()).stderr).toContain('which is not that in')
  const forged = await restore('--key', 'ab'.repeat(32))
  expect(forged).toMatchObject({ status: 1, stdout: '' })
  expect(forged.stderr).toContain(`is signed with the key ${key}, which is not that of --key`)
  expect((await restore('--key')).status).toBe(2)
  expect(await restore('--key', key)).toMatchObject({ status: 0, stderr: '' })
}, 120_000)

test('account ids are never reused, so a deleted account stays deleted after two restores', async () => {
  const { portal, folder, run } = await createScene()
  await insertWebUser(portal.db)
  expect((await run(portal.url, 'backup', 'b1.zip')).status).toBe(0)
  /** Deletes an account as the portal does, and adds it to the list of deleted accounts. */
  const deleteAndList = async (url: string, id: number) => {
    await query(
      url,
      `insert into deleted_accounts (web_user_id, created_at) select id, created_at from web_users where id = ${id}`,
    )
    await query(url, `delete from web_users where id = ${id}`)
    const db = openDatabase({ connection: { connectionString: url }, timeZone: 'UTC', poolSize: 1 })
    expect(await saveDeletedAccounts(db, folder).finally(() => db.close())).toBe(1)
  }
  const register = async (url: string, name: string) =>
    (await query<{ id: number }>(url, `insert into web_users (email) values ('${name}@demo.example') returning id`))[0]
      ?.id ?? 0
  const xavier = await register(portal.url, 'xavier')
  await deleteAndList(portal.url, xavier)

  const first = await createEmptyDatabase()
  expect(await run(first, 'restore', 'b1.zip')).toMatchObject({ status: 0, stderr: '' })
  const yvonne = await register(first, 'yvonne')
  expect(yvonne).toBeGreaterThan(xavier)
  expect((await run(first, 'backup', 'b2.zip')).status).toBe(0)
  await deleteAndList(first, yvonne)

  const second = await createEmptyDatabase()
  const restored = await run(second, 'restore', 'b2.zip')
  expect(restored.stdout).toContain('deleted-accounts: 1, deleted again')
  expect(await query(second, `select from web_users where email = 'yvonne@demo.example'`)).toEqual([])
  // All sequences have advanced, because a phone may still refer to a lesson by an old number.
  const ahead = await query<{ name: string }>(
    second,
    `select sequencename as name from pg_sequences where coalesce(last_value, 0) < 1000000`,
  )
  expect(ahead).toEqual([])
  expect(await register(second, 'zoe')).toBeGreaterThan(yvonne)
}, 120_000)

test('a deletion list of an earlier version in which one id refers to two people deletes both again', async () => {
  const { portal, folder, run } = await createScene()
  const yvonne = await insertWebUser(portal.db)
  expect((await run(portal.url, 'backup', 'b2.zip')).status).toBe(0)
  // Another person had the number earlier and deleted the account before this backup.
  await writeFile(join(folder, 'deleted-accounts'), `${yvonne.id} 2026-01-01T00:00:00.000Z\n`)
  await portal.db.execute(sql`
    insert into deleted_accounts (web_user_id, created_at) select id, created_at from web_users where id = ${yvonne.id}`)
  expect(await saveDeletedAccounts(portal.db, folder)).toBe(1)
  const target = await createEmptyDatabase()
  expect((await run(target, 'restore', 'b2.zip')).stdout).toContain('deleted-accounts: 1, deleted again')
  // Deleted during the backup: committed after its snapshot, but with an earlier timestamp.
  const list = await readFile(join(folder, 'deleted-accounts'), 'utf8')
  await writeFile(
    join(folder, 'deleted-accounts'),
    list.replaceAll(/^(\d+) \S+ (\S+)$/gm, '$1 2026-01-01T00:00:00.000Z $2'),
  )
  expect((await run(await createEmptyDatabase(), 'restore', 'b2.zip')).stdout).toContain('deleted-accounts: 1, deleted')
  // Another person with the same number is kept.
  const other = await createScene()
  const stranger = await insertWebUser(other.portal.db)
  expect(stranger.id).toBe(yvonne.id)
  expect((await run(other.portal.url, 'backup', 'b3.zip')).status).toBe(0)
  const later = `${yvonne.id} 2099-01-01T00:00:00.000Z 2020-01-01T00:00:00.000Z\n`
  await writeFile(join(folder, 'deleted-accounts'), later)
  expect((await run(await createEmptyDatabase(), 'restore', 'b3.zip')).stdout).toContain('deleted-accounts: 0, deleted')
}, 120_000)

test('an interrupted restore prevents the next start, and another restore repairs it', async () => {
  const { portal, folder, run } = await createScene()
  await insertWebUser(portal.db)
  expect((await run(portal.url, 'backup', 'whole.zip')).status).toBe(0)
  const target = await createEmptyDatabase()
  const settings = { DATABASE_URL: target, DATA_DIR: folder, INIT_CWD: folder, OFFICE_PASSKEY: 'off' }
  const held = await holdCopy(target)
  const child = startCommand(['restore', 'whole.zip'], settings)
  await expect.poll(held.isReached, { timeout: 20_000 }).toBe(true)
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('close', resolve))
  await held.release()
  const mark = await readFile(join(folder, 'restore-unfinished'))
  const start = startPortal({ ...settings, DEMO: 'on' })
  expect(await start.ended).toBe(1)
  expect(start.errors()).toContain(`The restore of ${join(folder, 'whole.zip')} did not finish, its database is empty`)
  // A portal with another database is not concerned.
  await startPortal({ ...settings, DATABASE_URL: portal.url }).url()
  await stopPortals()

  expect(await run(target, 'restore', 'whole.zip')).toMatchObject({ status: 0, stderr: '' })
  await startPortal(settings).url()
  await stopPortals()

  // A restore that was killed right after its commit leaves the mark. Another restore or a start completes it.
  const leaveMark = () => writeFile(join(folder, 'restore-unfinished'), mark)
  await leaveMark()
  const again = await run(target, 'restore', 'whole.zip', '--release')
  expect(again).toMatchObject({ status: 0, stderr: '' })
  expect(again.stdout).toContain('had been restored completely when it was interrupted')
  expect(await query(target, 'select from outgoing_hold')).toEqual([])
  await leaveMark()
  await startPortal(settings).url()
  expect(await readdir(folder)).not.toContain('restore-unfinished')

  // A rejected restore leaves the portal unchanged.
  expect((await run(target, 'restore', 'whole.zip')).status).toBe(1)
  await stopPortals()
  await startPortal(settings).url()
}, 120_000)

test('a backup that cannot be read back is rejected, and leftovers of killed backups are removed', async () => {
  const { portal, folder, run } = await createScene()
  await insertContentFile(portal.db, 'large.bin', 'image/png', randomBytes(200_000))
  const nightly = await makeFolder()
  const [stale, busy] = ['portal-20200101T000000Z.zip.part', 'portal-20300101T000000Z.zip.part']
  for (const name of [stale, busy]) await writeFile(join(nightly, name), 'half')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(nightly, stale), longAgo, longAgo)

  // The disk changes a byte of a table while a later table is being written.
  const locker = await connect(portal.url)
  await locker.query('begin; lock table webhooks in access exclusive mode')
  const failing = run(portal.url, 'backup', 'turned.zip')
  const part = join(folder, 'turned.zip.part')
  const size = () =>
    stat(part).then(
      found => found.size,
      () => 0,
    )
  await expect.poll(size, { timeout: 20_000 }).toBeGreaterThan(100_000)
  const handle = await open(part, 'r+')
  await handle.write(randomBytes(16), 0, 16, 50_000)
  await handle.close()
  await locker.end()
  const failed = await failing
  expect(failed).toMatchObject({ status: 1, stdout: '' })
  expect(failed.stderr).toMatch(/turned\.zip/)
  expect(await readdir(folder)).not.toContain('turned.zip')
  expect(await readLastBackup(folder)).toBeNull()

  const good = await run(portal.url, 'backup', nightly, '--keep', '2')
  expect(good).toMatchObject({ status: 0, stderr: '' })
  expect(good.stdout).toContain(`${stale}: removed`)
  const names = await readdir(nightly)
  expect(names).toContain(busy)
  expect(names).not.toContain(stale)
  expect(Date.now() - ((await readLastBackup(folder))?.getTime() ?? 0)).toBeLessThan(60_000)
}, 120_000)

test('a restored copy sends no messages until it is released', async () => {
  const { portal, folder, run } = await createScene()
  const person = await insertWebUser(portal.db)
  await insertMail(portal.db, { webUserId: person.id, kind: 'password-changed', payload: {} })
  const calls: string[] = []
  const receiver = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await portal.db.execute(sql`insert into webhooks (name, url, secret, kinds) values ('payroll', ${url}, 'x', '{}')`)
  await portal.db.execute(sql`
    insert into outbox (channel, webhook_id, event_id, kind, about) values ('webhook', 1, gen_random_uuid(), 'booking', 'x')`)
  await portal.db.execute(sql`
    insert into push_subscriptions (web_user_id, endpoint, p256dh, auth) values (${person.id}, 'https://push.example/1', 'x', 'x')`)
  await portal.db.execute(sql`
    insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed) values (${person.id}, 'lesson-eve', 'x', '{}', now() + interval '1 day', false)`)
  await portal.db.execute(sql`
    insert into outbox (channel, kind, alert_id, subscription_id)
    select 'push', a.kind, a.id, s.id from alerts a, push_subscriptions s`)
  expect((await run(portal.url, 'backup', 'whole.zip')).status).toBe(0)

  const target = await createEmptyDatabase()
  expect((await run(target, 'restore', 'whole.zip')).stdout).toContain('npm run mails -- --release')
  const server = await startTestMailServer()
  onTestFinished(server.close)
  const port = await findFreePort()
  const copy = startPortal({
    DATABASE_URL: target,
    DATA_DIR: folder,
    SMTP_URL: server.url,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    METRICS_PORT: String(port),
    OFFICE_PASSKEY: 'off',
  })
  await copy.url()
  expect(copy.output()).toContain('mails, pushes and webhook calls wait: npm run mails -- --release sends them')
  // The senders poll every 2 to 5 seconds.
  await sleep(6_000)
  expect([server.mails.length, calls.length]).toEqual([0, 0])
  expect(await query(target, 'select from outbox where attempts > 0')).toEqual([])
  const metric = async () =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).match(/^portal_outgoing_held .*$/m)?.[0]
  expect(await metric()).toBe('portal_outgoing_held 1')
  expect((await run(target, 'mails')).stdout).toContain('Held since the restore of')
  expect((await run(target, 'mails', '--release')).stdout).toContain('are sent')
  await expect.poll(() => [server.mails.length, calls.length], { timeout: 20_000 }).toEqual([1, 1])
  await expect
    .poll(
      () => query(target, 'select from outbox where alert_id is not null and (attempts > 0 or sent_at is not null)'),
      { timeout: 20_000 },
    )
    .toHaveLength(1)
  expect(await metric()).toBe('portal_outgoing_held 0')
  expect((await run(target, 'mails')).stdout).not.toContain('Held')

  const recovered = await createEmptyDatabase()
  expect((await run(recovered, 'restore', 'whole.zip', '--release')).stdout).toContain('leave with the next start')
  expect(await query(recovered, 'select from outgoing_hold')).toEqual([])
}, 120_000)

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer, type TestMailServer } from '#server/test/mail-server.ts'
import { insertMail } from './outbox.ts'
import type { Sender, SenderTimings } from './sender.ts'

const database = await openTestDatabase()
const { db } = database
const person = await insertWebUser(db, { givenName: 'Ada', familyName: 'Özdemir' })
const dataDir = await mkdtemp(join(tmpdir(), 'mails-'))
const open: (() => Promise<void>)[] = []
beforeEach(() => db.execute(sql`delete from mails`))
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})
afterAll(() => rm(dataDir, { recursive: true }))

const QUICK: Partial<SenderTimings> = { idleMs: 50, troubleMs: 20 }
function start(smtpUrl: string | null, times = QUICK, log = pino({ level: 'silent' })): Sender {
  const config = { ...readConfig({}), smtpUrl, dataDir, publicUrl: 'https://sport.example' }
  const sender = startMailSender({ db, config, log }, times)
  open.push(sender.stop)
  return sender
}
async function startServer(options = {}): Promise<TestMailServer> {
  const server = await startTestMailServer(options)
  open.push(server.close)
  return server
}
const insertMails = async (count: number) => {
  for (let index = 0; index < count; index++) {
    await insertMail(db, { webUserId: person.id, kind: 'password-changed', payload: {} })
  }
}
const countUnsent = async () =>
  (await db.one<{ count: number }>(sql`select count(*) from mails where sent_at is null`)).count
const allSent = () => vi.waitFor(async () => expect(await countUnsent()).toBe(0), { timeout: 20_000, interval: 50 })

test('an e-mail is sent once, as text and HTML', async () => {
  const server = await startServer()
  const sender = start(server.url, { ...QUICK, idleMs: 60_000 })
  await sleep(100)
  await insertMail(db, { webUserId: person.id, kind: 'password-changed', payload: {} })
  sender.wake()
  await allSent()
  const [mail, ...others] = server.mails
  expect(others).toEqual([])
  // A bounce must not return the password or link in the body.
  expect(mail).toMatchObject({ from: 'werksport@demo.example', to: person.email, returned: 'HDRS' })
  expect([...server.greetings]).toEqual(['sport.example'])
  expect(mail?.messageId).toMatch(/^<\d+\.\d+@demo\.example>$/)
  expect(mail?.source).toMatch(/Auto-Submitted: auto-generated/)
  expect(mail?.source).toMatch(/Content-Type: text\/plain/)
  expect(mail?.source).toMatch(/Content-Type: text\/html/)
  expect(await db.one(sql`select attempts from mails`)).toEqual({ attempts: 1 })
})

test('two servers share an outbox without duplicates', async () => {
  const server = await startServer()
  await insertMails(40)
  start(server.url)
  start(server.url)
  await allSent()
  await sleep(200)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(40)
  expect(server.mails).toHaveLength(40)
})

test('e-mails wait for an unreachable mail server, however long', async () => {
  const port = await findFreePort()
  await insertMails(3)
  start(`smtp://127.0.0.1:${port}`)
  await vi.waitFor(
    async () =>
      expect((await db.one<{ tries: number }>(sql`select sum(attempts) as tries from mails`)).tries).toBeGreaterThan(3),
    10_000,
  )
  expect(await countUnsent()).toBe(3)
  const server = await startServer({ port })
  await allSent()
  expect(server.mails).toHaveLength(3)
})

test('a rejected e-mail does not block others; it is retried after a temporary rejection but not after a permanent one', async () => {
  const answers: Record<string, { code: number; text: string } | undefined> = {
    'spaeter@demo.example': { code: 450, text: 'greylisted' },
    'nie@demo.example': { code: 550, text: 'no such user nie@demo.example' },
  }
  const server = await startServer({ refuse: (to: string) => answers[to] ?? null })
  for (const recipient of Object.keys(answers)) {
    await insertMail(db, { webUserId: person.id, kind: 'new-email', payload: {}, recipient })
  }
  await insertMails(1)
  const lines: string[] = []
  start(server.url, QUICK, createLog('debug', { write: line => void lines.push(line) }))
  // An e-mail is reported before the outbox records its result.
  await vi.waitFor(
    async () =>
      expect(
        await db.query(sql`
          select recipient, substring(last_error from '\\d{3}') as answer, due_at = 'infinity' as is_given_up,
            due_at between clock_timestamp() + interval '40 seconds' and clock_timestamp() + interval '80 seconds' as is_soon
          from mails where sent_at is null order by recipient`),
      ).toEqual([
        { recipient: 'nie@demo.example', answer: '550', is_given_up: true, is_soon: false },
        { recipient: 'spaeter@demo.example', answer: '450', is_given_up: false, is_soon: true },
      ]),
    10_000,
  )
  expect(server.mails).toHaveLength(1)
  await vi.waitFor(() => expect(lines.length).toBe(3), 10_000)
  expect(lines.filter(line => line.includes('mail given up') && line.includes('"givenUp":1'))).toHaveLength(1)
  expect(lines.join()).not.toContain('@demo.example')

  answers['spaeter@demo.example'] = undefined
  await db.execute(sql`update mails set due_at = now() where due_at <> 'infinity' and sent_at is null`)
  await vi.waitFor(() => expect(server.mails).toHaveLength(2), 10_000)
})

test('e-mails that a wrong clock postponed are sent once it is right, and abandoned ones remain abandoned', async () => {
  const server = await startServer()
  await insertMails(3)
  await db.execute(sql`
    update mails set due_at = case when id % 3 = 0 then 'infinity' else due_at + interval '1 year' end`)
  start(server.url)
  await vi.waitFor(() => expect(server.mails).toHaveLength(2), 10_000)
  await sleep(200)
  expect(await countUnsent()).toBe(1)
})

test('an e-mail that cannot be rendered does not block others', async () => {
  const server = await startServer()
  await db.execute(sql`insert into mails (recipient, language, kind) values ('a@demo.example', 'de', 'unheard-of')`)
  await insertMails(1)
  start(server.url)
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), 10_000)
})

test('a stop waits for e-mails in progress and leaves the others', async () => {
  const server = await startServer({ beforeTaken: () => sleep(300) })
  await insertMails(40)
  const sender = start(server.url)
  await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(0), 10_000)
  await sender.stop()
  const { length } = server.mails
  expect(length).toBeLessThan(40)
  expect(await countUnsent()).toBe(40 - length)
  expect(await db.query(sql`select id from mails where sent_at is null and due_at > clock_timestamp()`)).toEqual([])
})

test('without a mail server, e-mails are written as complete files, and a retry replaces its file', async () => {
  const folder = join(dataDir, 'outbox')
  await insertMails(2)
  const sender = start(null)
  await allSent()
  const files = (await readdir(folder)).sort()
  expect(files).toEqual(
    (await db.query<{ id: number }>(sql`select id from mails order by id`)).map(
      ({ id }) => `${String(id).padStart(8, '0')}.eml`,
    ),
  )
  const before = await readFile(join(folder, files[0] ?? ''), 'utf8')
  expect(before).toContain(`To: =?UTF-8?Q?Ada_=C3=96zdemir?= <${person.email}>`)

  await writeFile(join(folder, files[0] ?? ''), 'half a ma')
  await db.execute(sql`update mails set sent_at = null, due_at = now()`)
  sender.wake()
  await allSent()
  expect((await readdir(folder)).sort()).toEqual(files)
  expect(await readFile(join(folder, files[0] ?? ''), 'utf8')).toContain('Message-ID')
})

test('an e-mail that cannot be written leaves no partial file, and is written later', async () => {
  const folder = join(dataDir, 'outbox')
  await insertMails(1)
  const { id } = await db.one<{ id: number }>(sql`select id from mails`)
  const file = `${String(id).padStart(8, '0')}.eml`
  await mkdir(join(folder, file), { recursive: true })
  start(null)
  await vi.waitFor(
    async () => expect(await db.one(sql`select last_error <> '' as failed from mails`)).toEqual({ failed: true }),
    10_000,
  )
  // The e-mail is retried continuously, so a draft may just be being written.
  await vi.waitFor(
    async () => expect((await readdir(folder)).filter(name => name.startsWith(file))).toEqual([file]),
    10_000,
  )
  await rm(join(folder, file), { recursive: true })
  await allSent()
  expect(await readFile(join(folder, file), 'utf8')).toContain('Message-ID')
})

test('after a kill between acceptance and record, the second copy has the same Message-ID', async () => {
  const server = await startServer()
  await insertMails(1)
  start(server.url)
  await allSent()
  await db.execute(sql`update mails set sent_at = null, due_at = now()`)
  await allSent()
  expect(server.mails).toHaveLength(2)
  expect(server.mails[1]?.messageId).toBe(server.mails[0]?.messageId)
})

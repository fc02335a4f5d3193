// @module-tag extended
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { noConnectionLeft, startFaultProxy, targetOf, throughProxy } from '#server/test/fault-proxy.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { insertMail, leaseDueMessages } from './outbox.ts'
import type { SenderTimings } from './sender.ts'

const database = await openTestDatabase()
const { db } = database
const person = await insertWebUser(db)
const open: (() => Promise<void>)[] = []
beforeEach(() => db.execute(sql`delete from mails`))
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

function start(smtpUrl: string, times: Partial<SenderTimings> = {}, log = pino({ level: 'silent' })) {
  const config = { ...readConfig({}), smtpUrl, publicUrl: 'https://sport.example' }
  const sender = startMailSender({ db, config, log }, { idleMs: 50, troubleMs: 20, ...times })
  open.push(sender.stop)
  return sender
}
async function startServer(options: Parameters<typeof startTestMailServer>[0] = {}) {
  const server = await startTestMailServer(options)
  open.push(server.close)
  return server
}
async function startProxy(port: number) {
  const proxy = await startFaultProxy({ host: '127.0.0.1', port }, noConnectionLeft.smtp)
  open.push(proxy.close)
  return { proxy, url: `smtp://127.0.0.1:${proxy.port}` }
}
const insertOther = (recipient = person.email) =>
  insertMail(db, {
    webUserId: person.id,
    kind: 'account-deleted',
    payload: { isBillingKept: false },
    recipient,
  } as never)
const insertOthers = async (count: number) => {
  for (let index = 0; index < count; index++) await insertOther()
}
const countUnsent = async () =>
  (await db.one<{ count: number }>(sql`select count(*) from mails where sent_at is null`)).count
const allSent = (timeout = 20_000) =>
  vi.waitFor(async () => expect(await countUnsent()).toBe(0), { timeout, interval: 50 })

test('a password is sent immediately even behind hundreds of other e-mails', async () => {
  const server = await startServer({ beforeTaken: () => sleep(80) })
  await insertOthers(400)
  const sender = start(server.url)
  await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(20), 10_000)
  await insertMail(db, { webUserId: person.id, kind: 'password-reset', payload: {} })
  const before = server.mails.length
  sender.wake()
  await vi.waitFor(
    () =>
      expect(server.mails.findIndex(({ source }) => source.includes('Subject: Ihr neues Passwort'))).toBeGreaterThan(0),
    { timeout: 10_000, interval: 20 },
  )
  expect(server.mails.length - before).toBeLessThan(40)
  expect(await countUnsent()).toBeGreaterThan(200)
})

test('a mail server that stalls one connection does not block the others', async () => {
  const server = await startServer({
    beforeTaken: ({ to }) => (to.startsWith('langsam') ? new Promise(() => {}) : sleep(5)),
  })
  await insertOther('langsam@demo.example')
  await insertOthers(60)
  start(server.url)
  // The last mail is recorded as sent when the server has responded.
  await vi.waitFor(
    async () =>
      expect(await db.query(sql`select recipient from mails where sent_at is null`)).toEqual([
        { recipient: 'langsam@demo.example' },
      ]),
    20_000,
  )
  expect(server.mails).toHaveLength(60)
})

test('a stop closes the connection to an unresponsive mail server, and the e-mail stays due', async () => {
  let isWaiting = false
  const beforeTaken = async () => {
    isWaiting = true
    await new Promise(() => {})
  }
  const server = await startServer({ beforeTaken })
  await insertOthers(3)
  const sender = start(server.url)
  await vi.waitFor(() => expect(isWaiting).toBe(true), 10_000)
  const startedAt = performance.now()
  await sender.stop()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(await leaseDueMessages(db, 'mail', { limit: 9, leaseMs: 1 })).toHaveLength(3)
})

test('a mail server that responds long after the final dot gets one copy', async () => {
  const server = await startServer({ beforeTaken: () => sleep(3_000) })
  await insertOthers(3)
  // Another server leases the e-mails as soon as a lease expires.
  start(server.url, { sendMs: 800, leaseMs: 1_200 })
  start(server.url, { sendMs: 800, leaseMs: 1_200 })
  await allSent()
  await sleep(500)
  expect(server.mails).toHaveLength(3)
})

test.each([
  ['hangs up', (hangUp: () => void) => hangUp()],
  ['remains silent', () => undefined],
])(
  'a mail server that %s after the final dot gets five copies at growing intervals, then the e-mail is given up',
  async (_, fault) => {
    const copies: string[] = []
    const server = await startServer({
      beforeTaken: ({ messageId }, hangUp) => {
        copies.push(messageId)
        fault(hangUp)
        return new Promise(() => {})
      },
    })
    await insertOthers(1)
    const lines: string[] = []
    const log = createLog('warn', { write: line => void lines.push(line) })
    // A second server retries as well.
    start(server.url, { responseMs: 800 }, log)
    start(server.url, { responseMs: 800 }, log)
    for (let attempt = 1; attempt <= 5; attempt++) {
      const read = () =>
        db.one<{ unanswered: number; isGivenUp: boolean; pauseS: number }>(sql`
        select unanswered, due_at = 'infinity' as "isGivenUp",
          case when due_at < 'infinity' then extract(epoch from due_at - clock_timestamp()) else 0 end as "pauseS"
        from mails`)
      await vi.waitFor(async () => expect((await read()).unanswered).toBe(attempt), 10_000)
      const { isGivenUp, pauseS } = await read()
      expect(isGivenUp).toBe(attempt === 5)
      // Each pause is twice the one before, give or take a quarter.
      if (attempt < 5) expect(pauseS / (60 * 2 ** (attempt - 1))).toSatisfy(factor => factor > 0.5 && factor < 1.3)
      await sleep(200)
      expect(copies).toHaveLength(attempt)
      await db.execute(sql`update mails set due_at = clock_timestamp() where due_at < 'infinity'`)
    }
    expect(new Set(copies).size).toBe(1)
    expect(lines.filter(line => line.includes('mail given up'))).toHaveLength(1)
  },
)

test('a mail server that greets slowly is reached by a later attempt', async () => {
  const server = await startServer({ greetAfterMs: 1_500 })
  await insertOthers(1)
  start(server.url, { sendMs: 500 })
  await vi.waitFor(
    async () => {
      await db.execute(sql`
        update mails set due_at = clock_timestamp()
        where sent_at is null and due_at > clock_timestamp() + interval '50 seconds'`)
      expect(await countUnsent()).toBe(0)
    },
    { timeout: 20_000, interval: 100 },
  )
  expect(server.mails).toHaveLength(1)
})

test('losing the database between the mail server’s response and the record causes no second copy', async () => {
  const proxy = await startFaultProxy(targetOf(database.url))
  open.push(proxy.close)
  const db = openDatabase({
    connection: { connectionString: throughProxy(database.url, proxy) },
    timeZone: 'Europe/Berlin',
    poolSize: 2,
  })
  open.push(db.close)
  const server = await startServer({ beforeTaken: () => proxy.be('refuse') })
  await insertOthers(1)
  const config = { ...readConfig({}), smtpUrl: server.url }
  const times = { idleMs: 50, troubleMs: 20, leaseMs: 1_500, sendMs: 1_000 }
  open.push(startMailSender({ db, config, log: pino({ level: 'silent' }) }, times).stop)
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), 10_000)
  await sleep(2_500)
  await proxy.be('pass')
  await allSent()
  await sleep(500)
  expect(server.mails).toHaveLength(1)
})

test.each(['refuse', 'reset', 'full', 'swallow'] as const)(
  'no e-mail is lost or duplicated by a mail server fault: %s',
  async fault => {
    const server = await startServer()
    const { proxy, url } = await startProxy(server.port)
    await proxy.be(fault)
    await insertOthers(30)
    // The limit only ends unresponsive deliveries. On a busy machine, a short lease would expire, and the e-mail would
    // be sent twice.
    start(url, fault === 'swallow' ? { sendMs: 1_500, leaseMs: 3_000 } : { sendMs: 4_000, leaseMs: 9_000 })
    await vi.waitFor(
      async () =>
        expect((await db.one<{ tries: number }>(sql`select sum(attempts) as tries from mails`)).tries).toBeGreaterThan(
          3,
        ),
      10_000,
    )
    await sleep(1_000)
    expect(server.mails).toEqual([])
    expect(await countUnsent()).toBe(30)
    await proxy.be('pass')
    await vi.waitFor(
      async () => {
        // E-mails without a response wait before the retry, so the time is advanced.
        await db.execute(sql`
        update mails set due_at = clock_timestamp() where sent_at is null and due_at > clock_timestamp() + interval '10 seconds'`)
        expect(await countUnsent()).toBe(0)
      },
      { timeout: 40_000, interval: 200 },
    )
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(30)
    expect(server.mails).toHaveLength(30)
  },
  60_000,
)

test('no e-mail is lost or duplicated if the mail server limits connections', async () => {
  let connections = 0
  const server = await startServer({ beforeTaken: () => sleep(10), accepts: () => ++connections <= 2 })
  await insertOthers(50)
  start(server.url)
  await vi.waitFor(() => expect(server.mails.length).toBe(50), 20_000)
  await allSent()
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(50)
})

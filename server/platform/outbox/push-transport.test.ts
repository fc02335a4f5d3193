import { createECDH, randomBytes } from 'node:crypto'
import { Agent, createServer, type Server } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { isPushEndpoint } from '#contract/endpoints/push.ts'
import { createApp } from '#server/app.ts'
import { findPushKeys, savePushSubscription } from '#server/features/reminders/repository.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { authority, certificate, key } from '#server/test/certificate.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertUserWithSession, insertWebUser } from '#server/test/factories.ts'
import { startMailSender } from '#server/test/mail-sender.ts'
import { startTestMailServer } from '#server/test/mail-server.ts'
import { openPushTransport } from './push-transport.ts'
import { startSender } from './sender.ts'

/** Decrypts a push message as browsers do, with the library that encrypts them. */
const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece')

const { db } = await openTestDatabase()
type Arrived = { path: string; headers: Record<string, unknown>; body: Buffer }
const arrived: Arrived[] = []
let status = 201
/** Delays the responses of the push service. */
let answering: Promise<void> = Promise.resolve()
const service: Server = createServer({ cert: certificate, key }, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    arrived.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    await answering
    response.writeHead(status).end('x'.repeat(50_000))
  })
})
await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
const { port } = service.address() as AddressInfo
afterAll(() => void service.close())

const senders: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of senders.splice(0)) await stop()
})
beforeEach(async () => {
  arrived.length = 0
  status = 201
  await db.execute(sql`delete from alerts`)
  await db.execute(sql`delete from push_subscriptions`)
  await db.execute(sql`delete from mails`)
})

/** The machine may be busy with other work. */
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

const config = { ...readConfig({}), publicUrl: 'https://sport.example.com' }
/** @param mayBeSentTo allows all endpoints, because the test's push service runs on this machine */
function start(mayBeSentTo: (endpoint: string) => boolean = () => true) {
  const transport = openPushTransport(config, () => findPushKeys(db), {
    agent: new Agent({ ca: authority }),
    mayBeSentTo,
  })
  const sender = startSender({ db, log: pino({ level: 'silent' }) }, [transport], { idleMs: 20 })
  senders.push(sender.stop)
}

async function insertPush({ language = 'de', browsers = 1 } = {}) {
  const { id } = await insertWebUser(db, { language, familyName: 'Geheimnis' })
  const keys = []
  for (let browser = 0; browser < browsers; browser += 1) {
    const pair = createECDH('prime256v1')
    const [p256dh, auth] = [pair.generateKeys('base64url'), randomBytes(16).toString('base64url')]
    await savePushSubscription(db, id, { endpoint: `https://localhost:${port}/${id}/${browser}`, p256dh, auth })
    keys.push({ pair, auth })
  }
  const payload = { courseId: 17, number: 'H-1', name: 'Rückenfit', name2: '', at: '2100-01-20 18:00:00' }
  await db.execute(sql`
    with alert as (
      insert into alerts (web_user_id, kind, about, payload, ends_at, is_mailed)
      values (${id}, 'lesson-eve', 'x', ${{ ...payload, venue: '', city: '', location: '', location2: '', meetingURL: '' }}::jsonb,
        now() + interval '1 hour', false) returning id
    ) insert into outbox (channel, kind, alert_id, subscription_id)
      select 'push', 'lesson-eve', alert.id, s.id from alert, push_subscriptions s where s.web_user_id = ${id}`)
  return { id, keys }
}

const countOf = async (table: string) =>
  (await db.one<{ count: number }>(sql`select count(*)::int from ${sql.raw(table)}`)).count
const mails = async () => db.query<{ kind: string; web_user_id: number }>(sql`select kind, web_user_id from mails`)

test('a browser can decrypt the push message, which names neither person nor course and is sent once', async () => {
  const { keys } = await insertPush({ language: 'en' })
  start()
  start()
  await until(async () =>
    expect(await db.query(sql`select from outbox where channel = 'push' and sent_at is not null`)).toHaveLength(1),
  )
  expect(arrived).toHaveLength(1)
  const [{ headers, body }] = arrived as [Arrived]
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
  expect(Number(headers.ttl)).toBeGreaterThan(3_000)
  expect(headers.authorization).toMatch(/^vapid t=.+, k=.+$/)
  const [{ pair, auth }] = keys as [(typeof keys)[number]]
  const text = ece.decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth }).toString()
  expect(JSON.parse(text)).toMatchObject({ title: 'Tomorrow at 18:00', path: '/course-details/17' })
  expect(text).not.toMatch(/Geheimnis|Rückenfit|demo\.example/)
})

test('an expired subscription is deleted, and an e-mail replaces the last push message', async () => {
  status = 410
  const { id } = await insertPush({ browsers: 2 })
  start()
  await until(async () => expect(await mails()).toHaveLength(1))
  expect(await mails()).toMatchObject([{ kind: 'lesson-eve', web_user_id: id }])
  expect([await countOf('push_subscriptions'), await countOf('outbox where alert_id is not null')]).toEqual([0, 0])
})

test('an overloaded push service is retried, no e-mail is sent, and the subscription remains', async () => {
  status = 503
  await insertPush()
  start()
  await until(() => expect(arrived).toHaveLength(1))
  // Retried after a minute ± 25 %; without a status the response is not recorded yet.
  await until(async () =>
    expect(
      await db.query(sql`
        select from outbox where last_status = 503 and due_at between now() + interval '30 s' and now() + interval '76 s' and attempts = 1`),
    ).toHaveLength(1),
  )
  status = 201
  await db.execute(sql`update outbox set due_at = now()`)
  await until(() => expect(arrived).toHaveLength(2))
  await until(async () =>
    expect(await db.query(sql`select from outbox where channel = 'push' and sent_at is not null`)).toHaveLength(1),
  )
  expect([await mails(), await countOf('push_subscriptions')]).toEqual([[], 1])
})

test('bookings are fast while mail and push servers are unresponsive, and everyone is notified once later', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  answering = promise
  const mailServer = await startTestMailServer({ beforeTaken: () => promise })
  senders.push(mailServer.close)
  await insertPush()
  start()
  const log = pino({ level: 'silent' })
  const mailing = startMailSender({ db, config: { ...config, smtpUrl: mailServer.url }, log }, { idleMs: 50 })
  senders.push(mailing.stop)
  const { app } = createApp({ db, config, log, wakeMailer: mailing.wake })
  await until(() => expect(arrived).toHaveLength(1))

  const { id } = await insertCourse(db, { capacity: 20 })
  const people = await Promise.all(Array.from({ length: 20 }, () => insertUserWithSession(db)))
  for (const { token } of people) {
    const headers = { SessionToken: token, 'Content-Type': 'application/json' }
    const booked = await app.request(bookCourse.path, { method: 'PUT', headers, body: JSON.stringify({ id }) })
    expect(await booked.json()).toMatchObject({ status: 'Ok' })
  }
  expect(await db.query(sql`select from mails where sent_at is not null`)).toEqual([])
  expect(await db.query(sql`select from outbox where channel = 'push' and sent_at is not null`)).toEqual([])

  answer()
  await until(async () => expect(await db.query(sql`select from mails where sent_at is null`)).toEqual([]))
  await until(async () =>
    expect(await db.query(sql`select from outbox where channel = 'push' and sent_at is null`)).toEqual([]),
  )
  expect(mailServer.mails.map(({ to }) => to).sort()).toEqual(people.map(({ email }) => email).sort())
  expect(arrived).toHaveLength(1)
})

test('nothing is sent to private networks', async () => {
  await insertPush()
  start(isPushEndpoint)
  await until(async () => expect(await countOf('outbox where alert_id is not null')).toBe(0))
  expect(arrived).toEqual([])
})

test.each([
  'https://fcm.googleapis.com/fcm/send/a:b',
  'https://web.push.apple.com/QX',
  'https://updates.push.services.mozilla.com/wpush/v2/g',
])('%s may be a push service', address => {
  expect(isPushEndpoint(address)).toBe(true)
})

test.each([
  'http://fcm.googleapis.com/x',
  'https://localhost/x',
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://[::1]/x',
  'https://10.0.0.1/x',
  'https://169.254.169.254/x',
  'https://db.internal/x',
  'https://intranet/x',
  'https://a.example:8443/x',
  'https://u:p@a.example/x',
  'https://a.example',
  'https://a.example\\@b/x',
  'https://a.example./x',
  'https://router.lan/x',
  'file:///etc/passwd',
  '',
  'https://1.0.0.127.in-addr.arpa/x',
])('“%s” cannot be a push service', address => {
  expect(isPushEndpoint(address)).toBe(false)
})

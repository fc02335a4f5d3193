import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, BlockList } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { listDeliveries, listWebhooks } from '#contract/office/connections.ts'
import type { WebhookKind } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { startSender } from './sender.ts'
import { isWebhookUrlAllowed, openWebhookTransport } from './webhook-transport.ts'

type Call = { headers: Record<string, string | string[] | undefined>; body: string }

let office: Awaited<ReturnType<typeof openTestDesk>>
let url: string
const calls: Call[] = []
/** Status with which the receiver responds; null: it closes the connection. */
let answer: number | null = 204
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    if (answer === null) return void request.socket.destroy()
    if (answer < 300) calls.push({ headers: request.headers, body })
    response.writeHead(answer, { Location: '/elsewhere' }).end()
  })
})
const networks = new BlockList()
networks.addSubnet('127.0.0.0', 8)

const server = await openTestServer({ webhookNetworks: networks })
beforeAll(async () => {
  office = await openTestDesk(server, ['owner', 'programme'])
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
})

const running: { stop(): Promise<void> }[] = []
const start = (webhookNetworks = networks) => {
  const log = pino({ level: 'silent' })
  const sender = startSender({ db: server.db, log }, [openWebhookTransport({ webhookNetworks, outgoingProxy: null })], {
    idleMs: 20,
  })
  running.push(sender)
  return sender
}
afterEach(() => Promise.all(running.splice(0).map(sender => sender.stop())))
const saveWebhook = async (kinds: WebhookKind[], to = url) => {
  await server.db.execute(sql`delete from webhooks`)
  calls.length = 0
  answer = 204
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const done = await office.actAsPreviewed({ kind: 'save-webhook', name: 'Räume', url: to, secret, kinds })
  expect(done.status).toBe('Ok')
  return { secret, webhookId: Number(done.result.webhookId) }
}
const until = async (test: () => boolean | Promise<boolean>) => {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await test()) return
    await sleep(25)
  }
  throw new Error(`not in time: ${calls.length} calls`)
}
const told = () => calls.map(({ body }) => JSON.parse(body))

/** Verifies signatures like the receivers' library `standardwebhooks` 1.1, which decodes only strict base64. */
function verify(secret: string, { headers, body }: Call): unknown {
  const key = secret.replace(/^whsec_/, '')
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(key))
    throw new Error('incorrect characters')
  const [id, timestamp] = [headers['webhook-id'], Number(headers['webhook-timestamp'])]
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) throw new Error('timestamp too old or too new')
  const expected = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  for (const versioned of String(headers['webhook-signature']).split(' ')) {
    const [version, signature] = versioned.split(',')
    if (version === 'v1' && signature === expected) return JSON.parse(body)
  }
  throw new Error('no matching signature')
}

test('bookings and cancellations are sent with a verifiable signature', async () => {
  const { secret } = await saveWebhook(['booking.created', 'booking.cancelled'])
  const [course, person] = [
    await insertCourse(server.db),
    await insertUserWithSession(server.db, { familyName: 'Geheim' }),
  ]
  start()
  await server.request(bookCourse, { body: { id: course.id }, token: person.token })
  await server.request(cancelCourse, { body: { id: course.id }, token: person.token })
  await until(() => calls.length === 2)
  expect(told()).toMatchObject([
    { type: 'booking.created', data: { courseId: course.id, webUserId: person.id, bookingStatus: 1 } },
    { type: 'booking.cancelled', data: { courseId: course.id, webUserId: person.id, bookingStatus: 0 } },
  ])
  for (const call of calls) {
    expect(call.body).not.toContain('Geheim')
    expect(verify(secret, call)).toMatchObject({ timestamp: expect.stringMatching(/^20..-..-..T.*Z$/) })
    expect(() => verify(secret, { ...call, body: `${call.body} ` })).toThrow('no matching signature')
    expect(call.headers['user-agent']).toBe('sports-course-portal')
  }
  // Created by version 1.
  await server.db.execute(sql`update webhooks set secret = ${randomBytes(32).toString('base64url')}`)
  const { secret: earlier } = await server.db.one<{ secret: string }>(sql`select secret from webhooks`)
  await server.request(bookCourse, { body: { id: course.id }, token: person.token })
  await until(() => calls.length === 3)
  verify(Buffer.from(earlier, 'base64url').toString('base64'), calls[2] as Call)
})

test('a freed seat is sent as a promotion, and a change by staff with the course', async () => {
  await saveWebhook(['booking.waitlisted', 'booking.promoted', 'course.changed'])
  const course = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  for (const { token } of [first, second]) await server.request(bookCourse, { body: { id: course.id }, token })
  await server.request(cancelCourse, { body: { id: course.id }, token: first.token })
  await office.act({ kind: 'confirm-course', courseId: course.id })
  start()
  await until(() => calls.length === 3)
  const ofBooking = told().filter(({ data }) => 'webUserId' in data)
  expect(told()).toContainEqual(expect.objectContaining({ type: 'course.changed' }))
  expect(ofBooking).toMatchObject([
    { type: 'booking.waitlisted', data: { webUserId: second.id } },
    { type: 'booking.promoted', data: { webUserId: second.id } },
  ])
})

test('concurrent bookings and cancellations are each sent once with their result', async () => {
  await saveWebhook(['booking.created', 'booking.waitlisted', 'booking.cancelled', 'booking.promoted'])
  const { id } = await insertCourse(server.db, { capacity: 3 })
  const people = await Promise.all(Array.from({ length: 6 }, () => insertUserWithSession(server.db)))
  await Promise.all(people.map(({ token }) => server.request(bookCourse, { body: { id }, token })))
  const leaving = await server.db.query<{ id: number }>(
    sql`select web_user_id as id from bookings where course_id = ${id} order by seq limit 2`,
  )
  const tokenOf = new Map(people.map(person => [person.id, person.token]))
  await Promise.all(
    leaving.map(one => server.request(cancelCourse, { body: { id }, token: tokenOf.get(one.id) ?? '' })),
  )
  start()
  await until(() => calls.length === 10)
  const count = (wanted: string) => told().filter(({ type }) => type === wanted).length
  expect(['booking.created', 'booking.waitlisted', 'booking.cancelled', 'booking.promoted'].map(count)).toEqual([
    3, 3, 2, 2,
  ])
  expect(new Set(told().map(({ type, data }) => `${type} ${data.bookingId}`)).size).toBe(10)
})

test('a receiver that was down for an hour gets every event once, in order per booking', async () => {
  const { webhookId } = await saveWebhook(['booking.created', 'booking.cancelled'])
  const courses = await Promise.all(Array.from({ length: 6 }, () => insertCourse(server.db)))
  const person = await insertUserWithSession(server.db)
  answer = null
  start()
  start()
  for (const { id } of courses) {
    await server.request(bookCourse, { body: { id }, token: person.token })
    await server.request(cancelCourse, { body: { id }, token: person.token })
    await server.request(bookCourse, { body: { id }, token: person.token })
  }
  // Simulates an hour of retries by making each due immediately.
  for (let minute = 0; minute < 6; minute++) {
    answer = [null, 503, 500, 429, 302, 404][minute] ?? null
    await server.db.execute(
      sql`update outbox set due_at = clock_timestamp() where channel = 'webhook' and sent_at is null`,
    )
    await sleep(120)
  }
  const { body } = await server.request(listWebhooks, { token: office.token })
  expect(body.items[0]).toMatchObject({ waiting: 18, failingSince: expect.any(String) })
  expect(calls).toEqual([])
  answer = 200
  await server.db.execute(sql`
    update outbox set due_at = clock_timestamp()
    where id = (select min(id) from outbox where channel = 'webhook' and sent_at is null)`)
  await until(() => calls.length >= 18)
  await sleep(200)
  expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(18)
  expect(calls).toHaveLength(18)
  for (const { id } of courses)
    expect(
      told()
        .filter(({ data }) => data.courseId === id)
        .map(({ type }) => type),
    ).toEqual(['booking.created', 'booking.cancelled', 'booking.created'])
  const log = await server.request(listDeliveries, { params: { id: webhookId }, token: office.token })
  expect(log.body.items).toHaveLength(18)
  expect(log.body.items.every(({ sentAt, status }) => sentAt !== null && status === 200)).toBe(true)
})

const NEVER_CALLED = [
  ['a private network', 'https://10.0.0.5/'],
  ['the metadata address of a cloud', 'http://169.254.169.254/latest/'],
  ['an IPv4-mapped IPv6 address', 'https://[::ffff:10.0.0.5]/'],
  ['an address as a single number', 'https://167772165/'],
  ['plain HTTP to a public host', 'http://8.8.8.8/'],
  ['a string that is not an address', 'https://999.1.1.1/'],
] as const

test.each(NEVER_CALLED)('%s is rejected when the webhook is saved', async (_, to) => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const kinds: WebhookKind[] = ['booking.created']
  const webhook = { kind: 'save-webhook', name: 'Räume', url: to, secret, kinds } as const
  for (const preview of [true, false])
    expect(await office.act({ ...webhook, preview })).toMatchObject({
      status: 'Failed',
      code: 'office.failed.webhookUrl',
    })
  expect(await office.act({ ...webhook, active: false })).toMatchObject({ status: 'Ok' })
})

test.each([
  ['a public address', 'HTTPS://8.8.8.8/'],
  ['an address of an allowed network', 'http://127.0.0.1/'],
  ['a name, whatever it resolves to', 'https://localhost/'],
])('%s can be saved', async (_, to) => {
  await saveWebhook(['booking.created'], to)
})

const REFUSED_AT_DELIVERY: [string, string, BlockList][] = [
  ['an address that is no longer allowed', 'http://127.0.0.1:1/', new BlockList()],
  ['a name that resolves to this machine', 'https://localhost:1/', new BlockList()],
  ...NEVER_CALLED.slice(0, 5).map(([name, to]): [string, string, BlockList] => [name, to, networks]),
]

test.each(REFUSED_AT_DELIVERY)('%s is never called', async (_, to, allowed) => {
  const { webhookId } = await saveWebhook(['booking.created'])
  await server.db.execute(sql`update webhooks set url = ${to}`)
  const person = await insertUserWithSession(server.db)
  await server.request(bookCourse, { body: { id: (await insertCourse(server.db)).id }, token: person.token })
  start(allowed)
  const read = () => server.request(listDeliveries, { params: { id: webhookId }, token: office.token })
  await until(async () => (await read()).body.items[0]?.error !== '')
  expect((await read()).body.items[0]).toMatchObject({ error: 'not an address to call', status: null, sentAt: null })
})

test('plain HTTP to a host name is rejected if no network is allowed', () => {
  const none = { webhookNetworks: new BlockList() }
  expect(isWebhookUrlAllowed('http://rooms.example/x', none)).toBe(false)
  expect(isWebhookUrlAllowed('https://rooms.example/x', none)).toBe(true)
  expect(isWebhookUrlAllowed('http://rooms.example/x', { webhookNetworks: networks })).toBe(true)
})

test('a secret consists of whsec_ and 24 to 64 random bytes in base64', async () => {
  const random = randomBytes(32)
  const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`
  const save = (secret: string) =>
    office.actAsPreviewed({ kind: 'save-webhook', name: 'Lohn', url, secret, kinds: ['booking.created'] })
  for (const secret of [random.toString('base64'), `whsec_${random.toString('hex')}!`, `whsec_${'A'.repeat(43)}=`])
    await expect(save(secret)).rejects.toThrow(/^400/)
  for (const bytes of [23, 65, 66]) await expect(save(secretOf(bytes))).rejects.toThrow(/^400/)
  for (const bytes of [32, 62, 63, 64]) expect(await save(secretOf(bytes))).toMatchObject({ status: 'Ok' })
})

test('a receiver is an HTTP(S) URL without a password', async () => {
  for (const to of ['ftp://rooms.example', 'file:///etc/passwd', 'https://a:b@rooms.example', 'rooms.example'])
    await expect(saveWebhook(['booking.created'], to)).rejects.toThrow(/^400/)
})

test('the example receiver in the documentation accepts only signatures of the portal', async () => {
  const recipes = await readFile(new URL('../../../docs/operation/automation.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(recipes) ?? []
  const verifyAsRecipe = new Function('require', `${code}; return verify`)(createRequire(import.meta.url))
  const { secret } = await saveWebhook(['course.changed'])
  start()
  await office.act({ kind: 'confirm-course', courseId: (await insertCourse(server.db)).id })
  await until(() => calls.length === 1)
  const [call] = calls
  expect(verifyAsRecipe(call?.headers, call?.body, secret)).toMatchObject({ type: 'course.changed' })
  expect(() => verifyAsRecipe(call?.headers, `${call?.body} `, secret)).toThrow('wrong signature')
  const late = { ...call?.headers, 'webhook-timestamp': '1700000000' }
  expect(() => verifyAsRecipe(late, call?.body, secret)).toThrow('too old')
})

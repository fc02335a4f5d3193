import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServerType, serve } from '@hono/node-server'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../server/platform/http/token.ts'
import { startSender } from '../../server/platform/outbox/sender.ts'
import { openWebhookTransport } from '../../server/platform/outbox/webhook-transport.ts'
import { dateFromNow, insertCourse, insertUserWithSession } from '../../server/test/factories.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { openTestDesk } from '../../server/test/office.ts'
import { openTestServer } from '../../server/test/server.ts'
import { createWebhookSecret } from '../../src/office/frame/model.ts'
import { packClient } from './pack-client.ts'

const run = promisify(execFile)

/** An integration written from /api/docs, with a service token and the secret of a webhook. */
const INTEGRATION = `import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPortal } from 'sports-course-portal-client'
import { Webhook } from 'standardwebhooks'

const [, , baseUrl = '', token = '', secret = '', port = ''] = process.argv
const portal = createPortal({ baseUrl, token })

const { data: courses = [] } = await portal.GET('/api/public/courses', { params: { query: {} } })
const course = courses.find(({ freePlaces }) => freePlaces > 0)
if (!course) throw new Error('no free place')

const readChanges = async (changedSince?: string) => {
  const found = []
  for (let after: string | undefined; ; ) {
    const query = after ? { after } : changedSince ? { changedSince } : {}
    const { data, error } = await portal.GET('/api/office/bookings', { params: { query } })
    if (!data) throw new Error(error?.code)
    found.push(...data.items)
    if (data.next === null) return { found, cursor: data.cursor }
    after = String(data.next)
  }
}
const { found: before, cursor } = await readChanges()

const webhook = new Webhook(secret)
const receiver = createServer()
type Event = { type: string; data: { bookingId: number; courseId: number; webUserId: number } }
const event = new Promise<Event>((resolve, reject) => {
  receiver.on('request', async (request, response) => {
    const parts = await request.toArray()
    response.writeHead(204).end()
    try {
      resolve(webhook.verify(Buffer.concat(parts).toString(), request.headers as Record<string, string>) as Event)
    } catch (error) {
      reject(error)
    }
  })
}).finally(() => receiver.close())
receiver.listen(Number(port), '127.0.0.1')

const person = await portal.POST('/api/office/acts', {
  body: { actId: randomUUID(), kind: 'create-person', givenName: 'Ada', familyName: 'Beispiel', employeeStatus: 1 },
})
const act = { kind: 'book' as const, courseId: course.id, webUserId: Number(person.data?.result.webUserId) }
const preview = await portal.POST('/api/office/acts', { body: { actId: randomUUID(), ...act, preview: true } })
const unchanged = await readChanges(cursor)
const done = await portal.POST('/api/office/acts', { body: { actId: randomUUID(), ...act } })
if (done.data?.status !== 'Ok') throw new Error(done.data?.message ?? done.error?.message)
let { found: after } = await readChanges(cursor)
while (after.length === 0) {
  await sleep(500)
  after = (await readChanges(cursor)).found
}
const { bookingId, courseId, webUserId } = (await event).data
const read = await Promise.all([
  portal.GET('/api/office/bookings/{id}', { params: { path: { id: bookingId } } }),
  portal.GET('/api/office/courses/{id}', { params: { path: { id: courseId } } }),
  portal.GET('/api/office/people/{id}', { params: { path: { id: webUserId } } }),
])
const elsewhere = await portal.GET('/api/public/courses', { params: { query: { categoryId: 999_999 } } })
const refused = await portal.POST('/api/office/acts', { body: { actId: randomUUID(), kind: 'confirm-course', courseId: course.id } })
console.log(
  JSON.stringify({
    before: before.length,
    previewed: preview.data?.consequences.booked.length,
    unchanged: unchanged.found.length,
    done: done.data?.status,
    after: after.map(({ courseId, bookingStatus }) => ({ courseId, bookingStatus })),
    event: await event,
    read: read.map(({ response }) => response.status),
    elsewhere: elsewhere.data?.length,
    refused: [refused.response.status, refused.error?.code, refused.response.headers.get('WWW-Authenticate')],
  }),
)
`
const HEAD = `import { createPortal } from 'sports-course-portal-client'
const portal = createPortal({ baseUrl: 'https://sport.example.com', token: '' })
`
const WRONG = [
  `await portal.PUT('/api/course/coursebooking', { body: { courseId: 1 }, params: {} })`,
  `await portal.GET('/api/course/booked-by-all', {})`,
]

const webhookNetworks = new BlockList()
webhookNetworks.addSubnet('127.0.0.0', 8)
const server = await openTestServer({ isPasskeyRequired: false, webhookNetworks })
const sender = startSender(
  { db: server.db, log: pino({ level: 'silent' }) },
  [openWebhookTransport({ webhookNetworks, outgoingProxy: null })],
  {
    idleMs: 20,
  },
)
let listening: ServerType
let url: string
let folder: string
const at = (name: string) => join(folder, name)
const PACKAGES = ['openapi-fetch', 'standardwebhooks']
const ROOT = join(import.meta.dirname, '../../node_modules/@types')
const OPTIONS =
  '--noEmit --strict --module nodenext --target es2024 --skipLibCheck --allowImportingTsExtensions --types node --typeRoots'
const check = (file: string) =>
  run(
    process.execPath,
    [join(import.meta.dirname, 'node_modules/typescript/bin/tsc'), ...OPTIONS.split(' '), ROOT, at(file)],
    { cwd: folder },
  )

beforeAll(async () => {
  listening = serve({ fetch: server.app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(listening, 'listening')
  const address = listening.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  folder = await mkdtemp(join(tmpdir(), 'portal-client-'))
  await mkdir(at('node_modules'))
  for (const name of PACKAGES)
    await symlink(join(import.meta.dirname, 'node_modules', name), at(`node_modules/${name}`))
  await packClient(at('node_modules/sports-course-portal-client'))
  await writeFile(at('package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await sender.stop()
  listening.close()
  await rm(folder, { recursive: true })
})

test('a third-party API client lists bookings, books with a preview, verifies the webhook and follows changes', {
  timeout: 120_000,
}, async () => {
  const course = await insertCourse(server.db)
  const person = await insertUserWithSession(server.db)
  const office = await openTestDesk(server, ['owner', 'bookings'])
  await office.act({ kind: 'book', courseId: course.id, webUserId: person.id })
  const token = createToken()
  await office.act({
    kind: 'create-token',
    name: 'Räume',
    token,
    scopes: ['lists', 'bookings'],
    expiresOn: dateFromNow(9),
  })
  const secret = createWebhookSecret()
  const port = await findFreePort()
  const hook = `http://127.0.0.1:${port}/hook`
  await office.act({ kind: 'save-webhook', name: 'Räume', url: hook, secret, kinds: ['booking.created'] })
  // Changes are read once every earlier transaction has ended, in any database of the server.
  const list = () => fetch(`${url}/api/office/bookings`, { headers: { Authorization: `Bearer ${token}` } })
  const count = async () => ((await (await list()).json()) as { items: object[] }).items.length
  await expect.poll(count, { timeout: 60_000, interval: 500 }).toBe(1)
  await writeFile(at('integration.ts'), INTEGRATION)
  await check('integration.ts')
  const { stdout } = await run(process.execPath, [at('integration.ts'), url, token, secret, String(port)], {
    timeout: 30_000,
  })
  expect(JSON.parse(stdout)).toEqual({
    before: 1,
    previewed: 1,
    unchanged: 0,
    done: 'Ok',
    after: [{ courseId: course.id, bookingStatus: 1 }],
    event: expect.objectContaining({
      type: 'booking.created',
      data: expect.objectContaining({ courseId: course.id, bookingStatus: 1 }),
    }),
    read: [200, 200, 200],
    elsewhere: 0,
    refused: [403, 'insufficient_scope', 'Bearer error="insufficient_scope", scope="programme"'],
  })
})

test('a client that uses undefined endpoints or fields does not compile', async () => {
  await writeFile(at('wrong.ts'), `${HEAD}${WRONG.join('\n')}`)
  const refusal = await check('wrong.ts').catch(({ stdout }: { stdout: string }) => stdout)
  expect(String(refusal).match(/wrong\.ts\(\d+/g)).toHaveLength(WRONG.length)
})

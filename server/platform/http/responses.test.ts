import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { registry } from '#server/platform/observability/registry.ts'
import { insertCourse, insertUserWithSession, markProgrammeChanged } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { findAvailablePort, type ListeningServer, listen } from './listen.ts'
import { mountStaticFiles } from './static-files.ts'

// Whole responses of the most frequent requests, as written to the socket.
const host = '127.0.0.1'
const lines: Record<string, unknown>[] = []
const log = pino(
  { base: null, timestamp: false },
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  }),
)
let port = 0
let listening: ListeningServer
let dist: string

const server = await openTestServer({ metricsAddress: { host, port: 1 } })
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'responses-'))
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'index.html'), `<!doctype html><title>Sport</title>${'<p>'.repeat(1_000)}`)
  await writeFile(join(dist, 'index.html.br'), brotliCompressSync('<!doctype html><title>Sport</title>'))
  await writeFile(join(dist, 'assets/a-1.js'), 'a()')
  const publicUrl = 'https://sport.example.com'
  const { app, courses } = createApp({ ...server.context, config: { ...server.context.config, publicUrl }, log })
  await mountStaticFiles(app, dist, { publicUrl, describe: courses.describePage })
  port = await findAvailablePort(host, 0)
  listening = await listen(app, host, port)
})
afterAll(async () => {
  await listening.close(1_000)
  await rm(dist, { recursive: true })
})

type Sent = { method?: string; path?: string; token?: string; body?: string; headers?: string[] }

/** @returns the response with sorted headers; without `Date`, and random values as `…` */
async function send({ method = 'PUT', path = '/api/course/coursebooking', token, body, headers = [] }: Sent) {
  const socket = connect(port, host)
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...(token ? [`SessionToken: ${token}`] : []),
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
  const [start = '', ...parts] = (await text(socket.setEncoding('latin1'))).split('\r\n\r\n')
  const [status = '', ...received] = start.split('\r\n')
  const sorted = received
    .map(line => line.replace(/^[^:]+/, name => name.toLowerCase()))
    .map(line =>
      line.replace(
        /^(x-request-id: )[\da-f-]{36}$|^(set-cookie: XSRF-TOKEN=)[\da-f]{32}|^(server-time: )\d{13}$/,
        '$1$2$3…',
      ),
    )
    .filter(line => !line.startsWith('date:'))
    .sort()
  return { status: Number(status.split(' ')[1]), headers: sorted, body: parts.join('\r\n\r\n') }
}
const get = (path: string, ...headers: string[]) => send({ method: 'GET', path, headers })

test('a booking: private, uncached, with the headers of the API', async () => {
  const { id } = await insertCourse(server.db, { name: 'Yoga für alle', name2: 'Yoga, gentle' })
  const { token } = await insertUserWithSession(server.db)
  const { status, headers, body } = await send({ token, body: JSON.stringify({ id }) })
  expect(status).toBe(200)
  const parsed = JSON.parse(Buffer.from(body, 'latin1').toString())
  expect(parsed).toMatchObject({ id, status: 'Ok', name: 'Yoga für alle', bookingStatus: 1 })
  expect(headers).toEqual([
    'cache-control: no-store',
    'connection: close',
    `content-length: ${body.length}`,
    "content-security-policy: default-src 'none'; frame-ancestors 'none'; sandbox",
    'content-type: application/json',
    'cross-origin-opener-policy: same-origin',
    'cross-origin-resource-policy: same-origin',
    'origin-agent-cluster: ?1',
    'referrer-policy: no-referrer',
    'server-time: …',
    'strict-transport-security: max-age=31536000',
    'vary: Accept-Encoding, Accept-Language',
    'x-content-type-options: nosniff',
    'x-frame-options: DENY',
    'x-request-id: …',
  ])
})

test('a missing session is reported before any other error', async () => {
  const { id } = await insertCourse(server.db)
  const [expired, initial] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await server.db.execute(
    sql`update sessions set expires_at = now() - interval '1 minute' where web_user_id = ${expired.id}`,
  )
  await server.db.execute(
    sql`update web_users set is_password_to_change = true, password_hash = null where id = ${initial.id}`,
  )
  for (const body of [JSON.stringify({ id }), '{"id":999999}', '{']) {
    expect((await send({ body, token: 'unknown' })).status).toBe(401)
    expect((await send({ body, token: expired.token })).status).toBe(401)
    expect((await send({ body, token: initial.token })).status).toBe(403)
  }
})

test('300 concurrent calls get the same responses as single calls', async () => {
  const { id } = await insertCourse(server.db)
  const { token } = await insertUserWithSession(server.db)
  const kinds: Sent[] = [
    { token, body: JSON.stringify({ id }) },
    { token, body: '{"id":999999}' },
    { token, body: '{"id":"x"}' },
    { token: 'unknown', body: '{' },
  ]
  await send(kinds[0] ?? {})
  const single = await Promise.all(kinds.map(send))
  expect(single.map(({ status }) => status)).toEqual([200, 404, 400, 401])
  const all = await Promise.all(Array.from({ length: 300 }, (_, index) => send(kinds[index % kinds.length] ?? {})))
  for (const [index, response] of all.entries()) expect(response).toEqual(single[index % kinds.length])
})

const BR = 'Accept-Encoding: gzip, br'
const COOKIE = 'Cookie: a=b; XSRF-TOKEN=0123'
const NEW_COOKIE = 'set-cookie: XSRF-TOKEN=…; Path=/; Secure; SameSite=Lax'

test('index, pages and files are revalidated, and hashed files are cached forever', async () => {
  const { id } = await insertCourse(server.db, { name: 'Yoga' })
  await markProgrammeChanged(server.db)
  for (const path of ['/api/course?view=index', '/courses', `/course-details/${id}`, '/']) {
    const first = await get(path, BR)
    expect(first).toMatchObject({
      status: 200,
      headers: expect.arrayContaining(['cache-control: private, no-cache', NEW_COOKIE]),
    })
    const etag = first.headers.find(line => line.startsWith('etag: '))?.slice('etag: '.length)
    const known = await get(path, BR, COOKIE, `If-None-Match: ${etag}`, 'X-Request-Id: of-a-proxy')
    expect(known).toMatchObject({ status: 304, body: '' })
    expect(known.headers).toEqual(expect.arrayContaining(['cache-control: private, no-cache', `etag: ${etag}`]))
    expect(known.headers).toContain('x-request-id: of-a-proxy')
    expect(known.headers.join()).not.toContain('set-cookie')
  }
  const file = await get('/assets/a-1.js', COOKIE)
  expect(file).toMatchObject({ status: 200, body: 'a()' })
  expect(file.headers).toContain('cache-control: public, max-age=31536000, immutable')
  // A shared cache must not store the cookie.
  const withCookie = await get('/assets/a-1.js')
  expect(withCookie.headers).toEqual(
    expect.arrayContaining(['cache-control: private, max-age=31536000, immutable', NEW_COOKIE]),
  )
  expect((await get('/no-such-page')).status).toBe(404)
})

test('requests are logged and counted by route, without secrets', async () => {
  const { token } = await insertUserWithSession(server.db)
  const { id } = await insertCourse(server.db, { capacity: 5 })
  const headers = ['X-Request-Id: of-a-proxy']
  lines.length = 0
  registry.resetMetrics()
  const requests: Sent[] = [
    { token, body: JSON.stringify({ id }) },
    { token, body: '{' },
    { method: 'GET', path: '/api/course?view=index' },
    { method: 'GET', path: '/activate/abcdefghijklmnop' },
    { method: 'GET', path: '/no-such-page' },
  ]
  for (const request of requests) await send({ ...request, headers })
  await expect.poll(() => lines.length).toBe(requests.length)
  expect(lines.map(({ id, method, path, status }) => `${id} ${method} ${path} ${status}`)).toEqual([
    'of-a-proxy PUT /api/course/coursebooking 200',
    'of-a-proxy PUT /api/course/coursebooking 400',
    'of-a-proxy GET /api/course 200',
    'of-a-proxy GET /activate/… 200',
    'of-a-proxy GET /… 404',
  ])
  const counted = (await registry.metrics()).match(/^portal_(?:request\S*_count|answers_total).*$/gm)
  expect(counted?.toSorted()).toEqual([
    'portal_answers_total{call="PUT /api/course/coursebooking",answer="Ok"} 1',
    'portal_request_duration_seconds_count{method="GET",route="/api/course",status="200"} 1',
    'portal_request_duration_seconds_count{method="GET",route="other",status="200"} 1',
    'portal_request_duration_seconds_count{method="GET",route="other",status="404"} 1',
    'portal_request_duration_seconds_count{method="PUT",route="/api/course/coursebooking",status="200"} 1',
    'portal_request_duration_seconds_count{method="PUT",route="/api/course/coursebooking",status="400"} 1',
  ])
})

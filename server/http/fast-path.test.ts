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
import { sql } from '#server/db/client.ts'
import { registry } from '#server/metrics/registry.ts'
import { insertCourse, insertUserWithSession, markProgrammeChanged } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { findPort, type Listening, listen } from './listen.ts'
import { commonHeaders } from './security-headers.ts'
import { mountStaticFiles } from './static-files.ts'

const host = '127.0.0.1'
/** The same portal, with and without the short way, and what each has logged. */
let ports: { app: number; direct: number }
const lines: Record<'app' | 'direct', Record<string, unknown>[]> = { app: [], direct: [] }
const listenings: Listening[] = []
let directAnswers = 0
let dist: string

const logTo = (way: 'app' | 'direct') =>
  pino(
    { base: null, timestamp: false },
    new Writable({
      write(chunk, _encoding, done) {
        lines[way].push(JSON.parse(String(chunk)))
        done()
      },
    }),
  )

const counting =
  <Args extends unknown[], Answer>(answer: (...args: Args) => Promise<Answer>) =>
  async (...args: Args): Promise<Answer> => {
    directAnswers += 1
    return answer(...args)
  }

const server = await openTestServer({ metricsAddress: { host, port: 1 } })
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'direct-'))
  await mkdir(join(dist, 'assets'))
  await writeFile(join(dist, 'index.html'), `<!doctype html><title>Sport</title>${'<p>'.repeat(1_000)}`)
  await writeFile(join(dist, 'index.html.br'), brotliCompressSync('<!doctype html><title>Sport</title>'))
  await writeFile(join(dist, 'assets/a-1.js'), 'a()')
  await writeFile(join(dist, 'sw-worker.js'), 'b()')

  const serveOn = async (way: 'app' | 'direct', isSecure: boolean) => {
    const log = logTo(way)
    const publicUrl = isSecure ? 'https://sport.example.com' : server.context.config.publicUrl
    const { app, api, courses } = createApp({ ...server.context, config: { ...server.context.config, publicUrl }, log })
    const findFile = await mountStaticFiles(app, dist, { publicUrl, describe: courses.describePage })
    const direct = {
      calls: new Map([...api.directCalls].map(([key, answer]) => [key, counting(answer)] as const)),
      reads: new Map([...api.directReads].map(([key, read]) => [key, { ...read, find: counting(read.find) }] as const)),
      findFile: async (...asked: Parameters<typeof findFile>) => {
        const found = await findFile(...asked)
        if (found) directAnswers += 1
        return found
      },
      headersAt: await commonHeaders(isSecure),
      isSecure,
      log,
      isCounted: true,
    }
    const port = await findPort(host, 0)
    listenings.push(await listen(app, host, port, {}, way === 'direct' ? direct : undefined))
    return port
  }
  ports = { app: await serveOn('app', true), direct: await serveOn('direct', true) }
})
afterAll(async () => {
  await Promise.all(listenings.map(listening => listening.close(1_000)))
  await rm(dist, { recursive: true })
})

type Sent = {
  method?: string
  token?: string
  body?: string
  type?: string
  language?: string
  more?: string[]
  path?: string
}

/** @returns the answer as it came, its headers in order of the alphabet, without the date, and with what is drawn by lot as `…` */
async function send(port: number, { method = 'PUT', token, body, type = 'application/json', ...rest }: Sent) {
  const socket = connect(port, host)
  const lines = [
    `${method} ${rest.path ?? '/api/course/coursebooking'} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(body === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`]),
    ...(token ? [`SessionToken: ${token}`] : []),
    ...(rest.language ? [`Accept-Language: ${rest.language}`] : []),
    ...(rest.more ?? []),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
  const [head = '', ...parts] = (await text(socket.setEncoding('latin1'))).split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  const kept = headers
    .map(line => line.replace(/^[^:]+/, name => name.toLowerCase()))
    .map(line => line.replace(/^(x-request-id: )[\da-f-]{36}$|^(set-cookie: XSRF-TOKEN=)[\da-f]{32}/, '$1$2…'))
    .filter(line => !/^date:/.test(line))
  return { status, headers: kept.sort(), body: parts.join('\r\n\r\n') }
}
const put = (port: number, sent: Sent) => send(port, { body: '{}', ...sent })

/** How often calls were counted, by what stands beside them. */
async function countsNow(): Promise<Map<string, number>> {
  const text = (await registry.metrics())
    .split('\n')
    .filter(line => /^portal_(?:request\S*_count|answers_total)/.test(line))
  return new Map(
    text.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}
const moreIn = (after: Map<string, number>, before: Map<string, number>) =>
  [...after]
    .map(([key, count]) => `${key} ${count - (before.get(key) ?? 0)}`)
    .filter(line => !line.endsWith(' 0'))
    .sort()

test('whoever takes the short way is answered as by the app', async () => {
  const { id } = await insertCourse(server.db, { name: 'Yoga', name2: 'Yoga, gentle' })
  const { token } = await insertUserWithSession(server.db)
  const body = JSON.stringify({ id })
  // Booked before, so that one call changes nothing for the next.
  await put(ports.app, { token, body })
  const long = { name: 'Long', text_web: `<p>${'x'.repeat(20_000)}</p>` }
  const longBody = JSON.stringify({ id: (await insertCourse(server.db, long)).id })
  await put(ports.app, { token, body: longBody })
  const calls: Sent[] = [
    { token, body },
    { token, body, language: 'en-GB,en;q=0.9' },
    { token, body: longBody },
    { token: 'unknown', body },
    { token, body: '{"id":"x"}' },
    { token, body: '{' },
    { token, body: '' },
    { token, body: '{"id":999999}' },
    { token, body: '{"id":999999}', path: '/api/course/coursecancel' },
  ]
  // The course is looked at while the session is being found: who has none hears that, whatever else is wrong.
  const [ended, mailed] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await server.db.execute(
    sql`update sessions set expires_at = now() - interval '1 minute' where web_user_id = ${ended.id}`,
  )
  await server.db.execute(
    sql`update web_users set is_password_to_change = true, password_hash = null where id = ${mailed.id}`,
  )
  for (const token of ['unknown', ended.token, mailed.token])
    for (const wrong of [body, '{"id":999999}', '{']) calls.push({ token, body: wrong })
  const statuses = (await Promise.all(calls.slice(-9).map(call => put(ports.direct, call)))).map(({ status }) => status)
  const [noSession, noPassword] = ['HTTP/1.1 401 Unauthorized', 'HTTP/1.1 403 Forbidden']
  expect(statuses).toEqual([...Array(6).fill(noSession), ...Array(3).fill(noPassword)])
  directAnswers = 0
  for (const call of calls) expect(await put(ports.direct, call)).toEqual(await put(ports.app, call))
  expect(directAnswers).toBe(calls.length)
})

test('of a crowd everybody is answered as alone', async () => {
  const { id } = await insertCourse(server.db)
  const { token } = await insertUserWithSession(server.db)
  const kinds: Sent[] = [
    { token, body: JSON.stringify({ id }) },
    { token, body: '{"id":999999}' },
    { token: 'unknown', body: '{' },
  ]
  await put(ports.app, kinds[0] ?? {})
  const alone = await Promise.all(kinds.map(call => put(ports.app, call)))
  const crowd = await Promise.all(Array.from({ length: 300 }, (_, index) => put(ports.direct, kinds[index % 3] ?? {})))
  for (const [index, answer] of crowd.entries()) expect(answer).toEqual(alone[index % 3])
})

const BR = 'Accept-Encoding: gzip, br'
const COOKIE = 'Cookie: a=b; XSRF-TOKEN=0123'

test('so is whoever reads the index, a page or a file', async () => {
  const { id } = await insertCourse(server.db, { name: 'Yoga' })
  await markProgrammeChanged(server.db)
  const index = '/api/course?view=index'
  const tagOf = async (path: string) => {
    const { headers } = await send(ports.app, { method: 'GET', path, more: [BR] })
    return `If-None-Match: ${headers.find(line => line.startsWith('etag: '))?.slice(6)}`
  }
  const [ofIndex, ofPage] = [await tagOf(index), await tagOf('/courses')]
  const reads: Sent[] = [
    { path: index },
    { path: index, more: [BR, COOKIE] },
    { path: index, more: [BR, COOKIE, ofIndex] },
    { path: '/courses' },
    { path: '/courses', more: [BR, COOKIE] },
    { path: '/courses', more: [BR, COOKIE, ofPage, 'X-Request-Id: of-a-proxy'] },
    { path: `/course-details/${id}`, more: [BR, COOKIE] },
    { path: '/', more: [BR] },
    { path: '/assets/a-1.js' },
    { path: '/assets/a-1.js', more: [COOKIE] },
    { path: '/sw-worker.js', more: ['If-None-Match: *', COOKIE] },
    { path: '/activate/abcdefghijklmnop', more: [COOKIE] },
  ]
  const before = directAnswers
  for (const read of reads) {
    const get = { method: 'GET', ...read }
    const answers = [await send(ports.direct, get), await send(ports.app, get)]
    expect(answers[0]).toEqual(answers[1])
  }
  expect(directAnswers - before).toBe(reads.length)
})

test('on both ways calls are logged and counted alike', async () => {
  const { token } = await insertUserWithSession(server.db)
  const { id } = await insertCourse(server.db, { capacity: 5 })
  await put(ports.app, { token, body: JSON.stringify({ id }) })
  const calls: Sent[] = [
    { method: 'PUT', token, body: JSON.stringify({ id }) },
    { method: 'PUT', token, body: '{' },
    { method: 'GET', path: '/api/course?view=index' },
    { method: 'GET', path: '/courses' },
    { method: 'GET', path: '/activate/abcdefghijklmnop' },
    { method: 'GET', path: '/no-such-page' },
  ]
  const seen = async (way: 'app' | 'direct') => {
    lines[way].length = 0
    const before = await countsNow()
    for (const call of calls) await send(ports[way], { ...call, more: ['X-Request-Id: of-a-proxy'] })
    await expect.poll(() => lines[way].length).toBe(calls.length)
    return { lines: lines[way].map(({ ms, ...line }) => [line, typeof ms]), counts: moreIn(await countsNow(), before) }
  }
  const onApp = await seen('app')
  expect(onApp.counts).toHaveLength(6)
  expect(await seen('direct')).toEqual(onApp)
})

test('what is unusual about a call is left to the app', async () => {
  const { token } = await insertUserWithSession(server.db)
  await put(ports.app, { token, body: '{"id":1}' })
  const before = directAnswers
  const calls: Sent[] = [
    { body: '{"id":1}' },
    { token, type: 'text/plain' },
    { token, more: ['Host: other.example.com'] },
    { token, body: JSON.stringify({ id: 1, more: 'x'.repeat(5_000) }) },
    { token, more: ['Content-Encoding: gzip'] },
    { token, path: '/api/course/coursebooking?id=1' },
  ]
  for (const call of calls) expect(await put(ports.direct, call)).toEqual(await put(ports.app, call))
  const reads: Sent[] = [
    { path: '/no-such-page' },
    { path: '/robots.txt' },
    { path: '/courses?day=1' },
    { path: '/assets/../courses' },
    { path: '//courses' },
    { path: '/api/course?view=index&view=index' },
    { path: '/courses', more: ['Host: other.example.com'] },
    { path: '/courses', method: 'HEAD' },
    { path: '/embed' },
  ]
  for (const read of reads) {
    const get = { method: 'GET', ...read }
    expect(await send(ports.direct, get)).toEqual(await send(ports.app, get))
  }
  expect(directAnswers).toBe(before)
})

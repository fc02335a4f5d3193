import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'

type Value = { stringValue?: string; intValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Value }[]
}
type Sent = {
  resourceSpans: { resource: { attributes: { key: string; value: Value }[] }; scopeSpans: { spans: Span[] }[] }[]
}

/** Receives spans like the OpenTelemetry collector: OTLP as JSON over HTTP. */
const received: Sent[] = []
const paths = new Set<string | undefined>()
const collector = createServer(async (request, response) => {
  paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
  received.push((await json(request)) as Sent)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const database = await openTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'traces-'))
afterAll(async () => {
  await stopPortals()
  collector.close()
  await rm(dataDir, { recursive: true })
})

test.each(['1', '2'])(
  'with %s processes, calls, statements, e-mails and jobs are spans without personal data',
  async processes => {
    received.splice(0)
    const course = await insertCourse(database.db, { capacity: 5, name: 'Rückenfit im Park' })
    const person = await insertUserWithSession(database.db, { familyName: 'Kanarienvogel' })
    const portal = startPortal({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PROCESSES: processes,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      OTEL_SERVICE_NAME: 'portal-trial',
    })
    const url = await portal.url()
    const headers = { 'Content-Type': 'application/json', SessionToken: person.token }
    const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const other = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
    const continuing = ({ traceId, spanId }: typeof caller) => ({ traceparent: `00-${traceId}-${spanId}-01` })
    const booked = await fetch(`${url}/api/course/coursebooking`, {
      method: 'PUT',
      headers: { ...headers, ...continuing(caller) },
      body: `{"id":${course.id}}`,
    })
    expect(await booked.json()).toMatchObject({ status: 'Ok' })
    await fetch(`${url}/api/course/${course.id}`, { headers: { ...headers, traceparent: `00-${caller.traceId}-x-01` } })
    await fetch(`${url}/api/course`, { headers: { ...headers, ...continuing(other) } })
    await fetch(`${url}/api/activate/a-secret-of-somebody`)
    await expect
      .poll(() => database.db.query(sql`select from mails where sent_at is null`), { timeout: 20_000 })
      .toEqual([])
    await stopPortals()

    expect([...paths]).toEqual(['POST /v1/traces application/json'])
    const all = received.flatMap(({ resourceSpans }) => resourceSpans)
    const spans = all.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans))
    const find = (name: string) => spans.find(span => span.name === name)
    const booking = find('PUT /api/course/coursebooking')
    const facts = (span?: Span) =>
      Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
    expect(facts(booking)).toMatchObject({
      'http.route': '/api/course/coursebooking',
      'http.response.status_code': 200,
      'portal.request_id': booked.headers.get('x-request-id'),
    })
    expect(booking).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId })
    const index = spans.find(({ name, traceId }) => name === 'GET /api/course' && traceId === other.traceId)
    expect(index?.parentSpanId).toBe(other.spanId)
    const malformed = spans.find(({ name }) => name === 'GET /api/course/:id')
    expect(malformed?.traceId).not.toBe(caller.traceId)
    expect(malformed?.parentSpanId ?? '').toBe('')
    const below = spans.filter(({ traceId, spanId }) => traceId === booking?.traceId && spanId !== booking.spanId)
    expect(below.length).toBeGreaterThan(0)
    for (const span of below) expect(facts(span)).toMatchObject({ 'db.system.name': 'postgresql' })
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mail booking', 'job retention', 'job hr-list']),
    )
    expect(JSON.stringify(all[0]?.resource)).toContain('portal-trial')
    const said = JSON.stringify(received)
    for (const secret of [person.email, person.token, 'Kanarienvogel', 'a-secret-of-somebody', 'Rückenfit im Park'])
      expect(said).not.toContain(secret)
  },
  60_000,
)

test('an unreachable collector blocks neither calls nor the shutdown', {
  tags: 'extended',
  timeout: 60_000,
}, async () => {
  const portal = startPortal({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  expect((await fetch(`${await portal.url()}/api/health`)).status).toBe(200)
  const since = performance.now()
  await stopPortals()
  expect(await portal.ended).toBe(0)
  expect(performance.now() - since).toBeLessThan(20_000)
})

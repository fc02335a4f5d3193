import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import otlp from '@opentelemetry/otlp-transformer/build/src/generated/root.js'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../server/test/database.ts'
import { startPortal, stopPortals } from '../../server/test/portal.ts'

type Message = Record<string, unknown>
type Schema = {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: MessageType } } } } }
}
type MessageType = {
  fromObject(sent: object): Message
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Message
  toObject(message: Message, options: object): Message
}

/** The schema of OTLP, as OpenTelemetry compiles it for its own exporters. */
const { ExportTraceServiceRequest } = (otlp as unknown as Schema).opentelemetry.proto.collector.trace.v1
const IDS = ['traceId', 'spanId', 'parentSpanId']

type Attribute = { key: string; value: { stringValue?: string } }
type Span = {
  name: string
  traceId: Buffer
  spanId: Buffer
  parentSpanId?: Buffer
  kind: number
  attributes: Attribute[]
}
type Received = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

/** Names of all fields, as in `resourceSpans.scopeSpans.spans.name`. */
const fieldsOf = (value: unknown, at = ''): string[] =>
  Array.isArray(value)
    ? value.flatMap(one => fieldsOf(one, at))
    : typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
      ? Object.entries(value).flatMap(([name, inner]) => [`${at}.${name}`, ...fieldsOf(inner, `${at}.${name}`)])
      : []

test('a collector reads every field of the spans, which are children of the caller’s span', async () => {
  const received: Received[] = []
  const unread = new Set<string>()
  const collector = createServer(async (request, response) => {
    // In JSON ids are hexadecimal, other than bytes elsewhere.
    const sent = JSON.parse(String(await buffer(request)), (name, value) =>
      IDS.includes(name) ? Buffer.from(value, 'hex') : value,
    )
    const message = ExportTraceServiceRequest.fromObject(sent)
    const bytes = ExportTraceServiceRequest.encode(message).finish()
    const read = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(bytes), {
      longs: String,
      arrays: true,
    })
    const known = new Set(fieldsOf(read))
    for (const field of fieldsOf(sent)) if (!known.has(field)) unread.add(field)
    received.push(read as Received)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const database = await openTestDatabase()
  const portal = startPortal({ DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await fetch(`${await portal.url()}/api/course`, { headers: { traceparent } })
  await stopPortals()
  collector.close()

  // Since OTLP 1.1, newer than this schema.
  expect([...unread]).toEqual(['.resourceSpans.scopeSpans.spans.flags'])
  const all = received.flatMap(({ resourceSpans }) => resourceSpans)
  const own = Object.fromEntries(all[0]?.resource.attributes.map(({ key, value }) => [key, value.stringValue]) ?? [])
  for (const key of ['service.name', 'service.version', 'service.instance.id']) expect(own[key], key).toBeTruthy()
  const spans = all.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans))
  const call = spans.find(({ name }) => name === 'GET /api/course')
  expect(call?.traceId.toString('hex')).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(call?.parentSpanId?.toString('hex')).toBe('b7ad6b7169203331')
  expect(call?.kind).toBe(2)
})

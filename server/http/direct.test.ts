import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { findPort, type Listening, listen } from './listen.ts'
import { interfaceHeaders } from './security-headers.ts'

const host = '127.0.0.1'
let server: TestServer
/** The same portal, with and without the short way. */
let ports: { app: number; direct: number }
const listenings: Listening[] = []
let directAnswers = 0

beforeAll(async () => {
  server = await createTestServer()
  const { app, api } = createApp(server.context)
  const counted = [...api.directCalls].map(
    ([key, answer]) =>
      [
        key,
        (call: Parameters<typeof answer>[0]) => {
          directAnswers += 1
          return answer(call)
        },
      ] as const,
  )
  const direct = {
    calls: new Map(counted),
    headers: await interfaceHeaders(false),
    log: server.context.log,
    isCounted: false,
  }
  ports = { app: await findPort(host, 0), direct: await findPort(host, 0) }
  listenings.push(await listen(app, host, ports.app), await listen(app, host, ports.direct, {}, direct))
})
afterAll(async () => {
  await Promise.all(listenings.map(listening => listening.close(1_000)))
  await server.close()
})

type Sent = { token?: string; body?: string; type?: string; language?: string; more?: string[]; path?: string }

/** @returns the answer as it came, its headers in order of the alphabet, without the date, and with an id that two calls share */
async function put(port: number, { token, body = '{}', type = 'application/json', ...rest }: Sent) {
  const socket = connect(port, host)
  const lines = [
    `PUT ${rest.path ?? '/api/course/coursebooking'} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(token ? [`SessionToken: ${token}`] : []),
    ...(rest.language ? [`Accept-Language: ${rest.language}`] : []),
    ...(rest.more ?? []),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const [head = '', answer] = (await text(socket)).split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  const kept = headers
    .map(line => line.replace(/^[^:]+/, name => name.toLowerCase()))
    .map(line => line.replace(/^(x-request-id: )[\da-f-]{36}$/, '$1…'))
    .filter(line => !/^date:/.test(line))
  return { status, headers: kept.sort(), body: answer }
}

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
  for (const call of calls) expect(await put(ports.direct, call)).toEqual(await put(ports.app, call))
  expect(directAnswers).toBe(calls.length)
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
  expect(directAnswers).toBe(before)
})

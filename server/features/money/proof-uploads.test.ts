import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { addProof } from '#contract/endpoints/money.ts'
import { sql } from '#server/platform/db/client.ts'
import { findAvailablePort, listen } from '#server/platform/http/listen.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const host = '127.0.0.1'
const port = await findAvailablePort(host, 0)
const listening = await listen(server.app, host, port)
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await listening.close(0)
})

const MEGABYTE = 1024 * 1024
const headOf = (token: string, bytes: number, ...more: string[]) =>
  [
    'POST /api/proofs HTTP/1.1',
    'Host: x',
    'Cookie: XSRF-TOKEN=test',
    'X-XSRF-TOKEN: test',
    `SessionToken: ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${bytes}`,
    ...more,
    '',
    '',
  ].join('\r\n')

/** Announces an upload, sends its first kilobyte and stalls. */
async function stall(token: string, bytes: number, ...more: string[]) {
  const socket = connect({ port, host })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const answer = { text: '' }
  socket.on('data', data => {
    answer.text += data
  })
  socket.write(headOf(token, bytes, ...more))
  if (more.length === 0) socket.write('x'.repeat(1_000))
  return { socket, answer }
}

const file = new File(['%PDF-1.4 proof'], 'nachweis.pdf', { type: 'application/pdf' })
const form = { kind: 'shift', from: '2026-11-02', to: '2026-11-11' }
/** Sends a complete upload. */
async function send(token: string) {
  const body = new FormData()
  for (const [name, value] of Object.entries(form)) body.append(name, value)
  body.append('file', file)
  const headers = { SessionToken: token, Cookie: 'XSRF-TOKEN=test', 'X-XSRF-TOKEN': 'test' }
  return fetch(`http://${host}:${port}/api/proofs`, { method: 'POST', body, headers })
}

test('a person sends at most two large bodies at once, and the next one is refused before it is sent', async () => {
  const { token } = await insertUserWithSession(server.db)
  const stalled = await Promise.all(Array.from({ length: 8 }, () => stall(token, 9 * MEGABYTE)))
  await expect.poll(() => stalled.filter(({ answer }) => / 429 .*retry-after: \d/is.test(answer.text)).length).toBe(6)
  expect(stalled.filter(({ answer }) => answer.text === '')).toHaveLength(2)
  // curl and others wait before they send a large body.
  const waiting = await stall(token, 9 * MEGABYTE, 'Expect: 100-continue')
  await expect.poll(() => waiting.answer.text).toMatch(/^HTTP\/1.1 429 /)
  for (const { socket } of stalled) socket.destroy()
  await expect.poll(async () => (await send(token)).status).toBe(200)
  const admitted = await stall(token, 9 * MEGABYTE, 'Expect: 100-continue')
  await expect.poll(() => admitted.answer.text).toMatch(/^HTTP\/1.1 100 Continue/)
  admitted.socket.destroy()
})

test('stalled uploads of many people leave room for the bodies of bookings', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => insertUserWithSession(server.db)))
  const stalled = await Promise.all(people.map(({ token }) => stall(token, 9 * MEGABYTE)))
  await expect.poll(() => stalled.filter(({ answer }) => / 503 .*retry-after: \d/is.test(answer.text)).length).toBe(5)
  const { token } = await insertUserWithSession(server.db)
  expect((await send(token)).status).toBe(200)
  for (const { socket } of stalled) socket.destroy()
})

test('the quota of undecided proofs is decided before the body is received', async () => {
  const { id, token } = await insertUserWithSession(server.db)
  await server.db.execute(sql`
    insert into proofs (web_user_id, kind, starts_on, ends_on, file_name, media_type, content)
    select ${id}, 'shift', date '2026-11-02', date '2026-11-11', 'a.pdf', 'application/pdf', 'x'
    from generate_series(1, 20)`)
  const { answer } = await stall(token, 9 * MEGABYTE, 'Expect: 100-continue')
  await expect.poll(() => answer.text).toMatch(/^HTTP\/1.1 200 .*"code":"money\.tooManyProofs"/s)
  expect((await server.request(addProof, { token, form, file })).body).toMatchObject({ status: 'Failed' })
})

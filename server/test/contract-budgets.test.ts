import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { entriesOf } from '#contract/records.ts'
import { RIGHTS } from '#contract/values.ts'
import { findAvailablePort, listen } from '#server/platform/http/listen.ts'
import { MAX_BODY_BYTES } from '#server/platform/http/read-body.ts'
import { insertSession } from './factories.ts'
import { insertOfficer } from './office.ts'
import { createWorld } from './samples.ts'
import { addressOf, openTestServer } from './server.ts'

/** Each endpoint that receives a body is overfilled, stalled and flooded, by everyone who may and may not call it. */
const server = await openTestServer()
const world = await createWorld(server.db)
const host = '127.0.0.1'
const port = await findAvailablePort(host, 0)
const listening = await listen(server.app, host, port)
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await listening.close(0)
})

const withBody = entriesOf<Record<string, Endpoint>>(endpoints).filter(
  ([, { body, takesFile }]) => body !== undefined || takesFile !== undefined,
)
const limitOf = ({ maxBytes = MAX_BODY_BYTES }: Endpoint) => maxBytes
const pathOf = (name: string, endpoint: Endpoint) => addressOf(endpoint, world.samples[name]?.params)

/** Sends the head of a request whose client waits before it sends the body. @returns what is answered */
async function announce(name: string, endpoint: Endpoint, token: string, bytes: number): Promise<{ text: string }> {
  const socket = connect({ port, host })
  sockets.push(socket)
  const answer = { text: '' }
  socket.on('error', () => undefined)
  socket.on('data', data => {
    answer.text += data
  })
  await once(socket, 'connect')
  socket.write(
    [
      `${endpoint.method} ${pathOf(name, endpoint)} HTTP/1.1`,
      'Host: x',
      'Cookie: XSRF-TOKEN=test',
      'X-XSRF-TOKEN: test',
      ...(token ? [`SessionToken: ${token}`] : []),
      `Content-Type: ${endpoint.takesFile ? 'multipart/form-data; boundary=b' : 'application/json'}`,
      `Content-Length: ${bytes}`,
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  )
  return answer
}
/** Status of an answer; '' before it has arrived. */
const statusOf = ({ text }: { text: string }) => /^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? ''
const closeAll = () => {
  for (const socket of sockets.splice(0)) socket.destroy()
}

const members = [
  ['nobody', async () => ''],
  ['a member', () => insertSession(server.db, world.participant.id)],
  ['an instructor', () => insertSession(server.db, world.teacher.id)],
  ...RIGHTS.map(right => [right, async () => (await insertOfficer(server, [right])).token] as const),
] as const

test.each(members)(
  'a body above the limit is refused before it is sent, by %s',
  async (_, login) => {
    const token = await login()
    for (const [name, endpoint] of withBody) {
      const answer = await announce(name, endpoint, token, limitOf(endpoint) + 1)
      await expect.poll(() => statusOf(answer), { message: name, interval: 5 }).toMatch(/^(?:401|403|413)$/)
      closeAll()
    }
  },
  120_000,
)

test.each(withBody)('%s refuses a body above its limit of whoever may call it', async (name, endpoint) => {
  const token = await insertSession(server.db, world.callerOf(endpoint).id)
  const answer = await announce(name, endpoint, token, limitOf(endpoint) + 1)
  await expect.poll(() => statusOf(answer), { interval: 5 }).toBe('413')
  closeAll()
})

const large = withBody.filter(([, endpoint]) => limitOf(endpoint) > MAX_BODY_BYTES)
test.each(large)('%s receives at most two stalled bodies of a person', async (name, endpoint) => {
  const token = await insertSession(server.db, world.callerOf(endpoint).id)
  const stalled: { text: string }[] = []
  // The bodies of the previous test may still be counted: their connections end asynchronously.
  const hasReceivedOne = async () => {
    const answer = await announce(name, endpoint, token, limitOf(endpoint))
    await expect.poll(() => statusOf(answer)).not.toBe('')
    if (statusOf(answer) === '100') stalled.push(answer)
    return stalled.length > 0
  }
  await expect.poll(hasReceivedOne, { interval: 200, timeout: 10_000 }).toBe(true)
  for (let index = 1; index < 5; index++) stalled.push(await announce(name, endpoint, token, limitOf(endpoint)))
  const statuses = () => stalled.map(statusOf).sort()
  await expect.poll(statuses).toEqual(['100', '100', '429', '429', '429'])
  for (const { text } of stalled.filter(one => statusOf(one) === '429')) expect(text).toMatch(/retry-after: \d/i)
  closeAll()
})

const files = withBody.filter(([, { takesFile }]) => takesFile !== undefined)
test.each(files)(
  '%s refuses uploads above its rate before they are sent',
  { tags: 'extended', timeout: 120_000 },
  async (name, endpoint) => {
    const token = await insertSession(server.db, world.callerOf(endpoint).id)
    const flood = async () => {
      const answer = await announce(name, endpoint, token, 1_000)
      await expect.poll(() => statusOf(answer)).not.toBe('')
      closeAll()
      return answer
    }
    const { burst = 0 } = endpoint.takesFile ?? {}
    let last = { text: '' }
    for (let index = 0; index < burst + 10 && statusOf(last) !== '429'; index++) last = await flood()
    expect(statusOf(last)).toBe('429')
    expect(last.text).toMatch(/retry-after: \d/i)
  },
)

test('calls that need much time share one rate per person, taken before anything is validated', async () => {
  const { token } = await insertOfficer(server, RIGHTS)
  const costly = entriesOf<Record<string, Endpoint>>(endpoints).filter(
    ([, { isCostly, access }]) => isCostly && access !== 'public' && access !== 'instructor',
  )
  const call = (name: string, endpoint: Endpoint, params = world.samples[name]?.params) =>
    server.request(endpoint, { ...world.samples[name], ...(params && { params }), token } as object)
  const { getOfficeList } = endpoints as unknown as Record<'getOfficeList', Endpoint>
  let calls = 0
  // A list that does not exist costs no time.
  while ((await call('getOfficeList', getOfficeList, { file: 'none.csv' })).status !== 429 && calls < 500) calls += 1
  expect(calls).toBeLessThan(500)
  for (const [name, endpoint] of costly) {
    const { status, headers } = await call(name, endpoint)
    expect([name, status]).toEqual([name, 429])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  }
}, 60_000)

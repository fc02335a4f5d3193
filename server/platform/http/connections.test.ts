// @module-tag extended
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { CONNECTION_LIMITS } from './connections.ts'
import { setXsrfCookie } from './cross-site.ts'
import { encodeJson, privateJsonResponse } from './encoded-json.ts'
import { findAvailablePort, type ListeningServer, listen } from './listen.ts'
import { createErrorHandler } from './problems.ts'
import { readJsonBody } from './read-body.ts'

const host = '127.0.0.1'
const MEGABYTE = 1024 * 1024
/** Numbers of requests that send no body, and of one that is aborted. */
const [SILENT, ABORTED] = [99, 7]
let listening: ListeningServer | null = null
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listening?.close(0)
  listening = null
})

const list = encodeJson(JSON.stringify('x'.repeat(MEGABYTE)))
/** More than the system's socket buffers hold. */
const own = (request: Request) => privateJsonResponse(request, JSON.stringify('y'.repeat(8 * MEGABYTE)))

async function serve(limits: Partial<typeof CONNECTION_LIMITS> = {}) {
  const calls = { underWay: 0, most: 0, all: 0, order: [] as number[] }
  const app = new Hono()
  app.use('*', setXsrfCookie(false))
  app.get('/list', c => list.answer(c.req.raw))
  app.get('/own', c => own(c.req.raw))
  app.get('/late', async c => {
    await sleep(1_100)
    return c.text('done')
  })
  app.get('/busy', c => {
    const until = performance.now() + 8
    while (performance.now() < until);
    return c.text('done')
  })
  app.post('/body', async c => c.json(await readJsonBody(c)))
  app.onError(createErrorHandler(pino({ level: 'silent' })))
  app.get('/number/:number', async c => {
    calls.all += 1
    calls.underWay += 1
    calls.most = Math.max(calls.most, calls.underWay)
    await sleep(2)
    calls.underWay -= 1
    return c.text(`<${c.req.param('number')}>`)
  })
  app.put('/crowd/:number', async c => {
    const number = Number(c.req.param('number'))
    calls.order.push(number)
    // Requests without a slot: those whose body is missing, and one whose connection has ended.
    const slot = number === ABORTED || number === SILENT ? 0 : 1
    calls.underWay += slot
    calls.most = Math.max(calls.most, calls.underWay)
    await readJsonBody(c)
    await sleep(20)
    calls.underWay -= slot
    return c.text(`<${number}>`)
  })
  const port = await findAvailablePort(host, 0)
  listening = await listen(app, host, port, limits, ({ method }) => method === 'PUT')
  return { port, calls }
}

/** Opens a client connection that stays half-open whatever the server does, and reads only on request. */
async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host, allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Whether the server has destroyed its socket. A socket that was only ended would accept what we write forever. */
async function isGone(socket: Socket, ms: number): Promise<boolean> {
  const closed = new Promise<true>(resolve => void socket.once('close', () => resolve(true)))
  const ended = new Promise(resolve => void socket.once('end', resolve))
  const writing = ended.then(() => setInterval(() => socket.writable && socket.write('x'), 50))
  const gone = await Promise.race([closed, sleep(ms, false)])
  void writing.then(clearInterval)
  return gone
}

test('pipelined requests are processed in order, one at a time', async () => {
  const { port, calls } = await serve()
  const socket = await open(port)
  let answer = ''
  socket.on('data', part => {
    answer += part
  })
  const numbers = Array.from({ length: 50 }, (_, number) => number)
  socket.write(numbers.map(number => request(`/number/${number}`)).join(''))
  await expect.poll(() => answer.includes('<49>'), { timeout: 5_000 }).toBe(true)
  expect(answer.match(/<\d+>/g)).toEqual(numbers.map(number => `<${number}>`))
  expect(calls.most).toBe(1)
})

test('the requests of a crowd start in the order of their arrival, a few at a time, and unsent bodies stop nobody', async () => {
  const { port, calls } = await serve({ maxOfCrowd: 2 })
  const head = (number: number) =>
    `PUT /crowd/${number} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`
  const silent = await Promise.all(Array.from({ length: 5 }, () => open(port)))
  for (const socket of silent) socket.write(head(SILENT))
  await expect.poll(() => calls.order).toHaveLength(silent.length)
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  const answers: Promise<unknown>[] = []
  for (const number of numbers) {
    const socket = await open(port)
    socket.write(`${head(number)}{}`)
    answers.push(once(socket, 'data'))
    if (number === ABORTED) socket.destroy()
    // The order of arrival of two connections is that in which the server reads them.
    await sleep(5)
  }
  expect((await fetch(`http://${host}:${port}/busy`)).status).toBe(200)
  await Promise.all(answers.filter((_, number) => number !== ABORTED))
  const expected = numbers.filter(number => number !== ABORTED)
  expect(calls.order.slice(silent.length).filter(number => number !== ABORTED)).toEqual(expected)
  expect(calls.most).toBe(2)
})

test('too many pipelined requests end the connection', async () => {
  const { port, calls } = await serve({ maxPipelined: 10 })
  const socket = await open(port)
  socket.resume()
  socket.write(request('/number/1').repeat(12))
  expect(await isGone(socket, 2_000)).toBe(true)
  expect(calls.all).toBeLessThanOrEqual(1)
})

test('clients that never read share a response’s buffer and receive one response each', async () => {
  const { port } = await serve()
  const usage = () => process.memoryUsage().arrayBuffers
  const before = usage()
  const silent = await Promise.all(Array.from({ length: 100 }, () => open(port)))
  for (const socket of silent) socket.pause().write(request('/list').repeat(50))
  await sleep(1_500)
  // Some responses fit into the system's buffers; the portal copies none of them.
  expect((usage() - before) / MEGABYTE).toBeLessThan(30)
  expect((await fetch(`http://${host}:${port}/number/1`)).status).toBe(200)
}, 30_000)

test('too many unread bytes: 503 with Retry-After, and stalled readers are disconnected', async () => {
  const { port } = await serve({ maxUnsentBytes: 20 * MEGABYTE, dawdleMs: 3_000 })
  const silent = await Promise.all(Array.from({ length: 6 }, () => open(port)))
  for (const socket of silent) socket.pause().write(request('/own').repeat(3))
  await expect.poll(() => statusOf(port), { timeout: 5_000, interval: 20 }).toEqual([503, '2'])
  await expect.poll(() => statusOf(port), { timeout: 10_000, interval: 100 }).toEqual([200, null])
}, 30_000)

const statusOf = async (port: number) => {
  const { status, headers } = await fetch(`http://${host}:${port}/number/1`)
  return [status, headers.get('Retry-After')]
}

test('stalled readers and silent connections are closed', async () => {
  const { port } = await serve({ stillMs: 1_000 })
  const [reader, silent] = await Promise.all([open(port), open(port)])
  reader.pause().write(request('/own').repeat(3))
  expect(await isGone(silent.resume(), 5_000)).toBe(true)
  await sleep(1_500)
  // What the system has buffered is still read, then the connection ends.
  expect(await isGone(reader.resume(), 15_000)).toBe(true)
}, 30_000)

test('concurrent oversized bodies are rejected without being buffered', { timeout: 60_000 }, async () => {
  const { port } = await serve()
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }, 5)
  const part = Buffer.alloc(64 * 1024, 'x')
  const send = async (bytes: number) => {
    const socket = await open(port)
    let answer = ''
    socket.on('data', text => {
      answer += text
    })
    socket.write(`POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`)
    for (let sent = 0; sent < bytes && socket.writable; sent += part.length) {
      if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => null), sleep(1_000)])
    }
    await Promise.race([once(socket, 'close').catch(() => null), sleep(1_000)])
    return answer
  }
  await Promise.all(Array.from({ length: 24 }, () => send(30 * MEGABYTE)))
  clearInterval(watching)
  expect(most / MEGABYTE).toBeLessThan(100)
  await sleep(1_000)
  expect(await send(2 * MEGABYTE)).toMatch(/ 413 /)
})

test('a slow response is not cut off by the idle timeout', async () => {
  const { port } = await serve({ stillMs: 300 })
  const startedAt = performance.now()
  expect(await (await fetch(`http://${host}:${port}/late`)).text()).toBe('done')
  expect(performance.now() - startedAt).toBeGreaterThan(1_000)
})

test('new connections are accepted while the event loop is busy', async () => {
  const { port } = await serve()
  let [answers, isOver] = [0, false]
  for (const socket of await Promise.all(Array.from({ length: 5 }, () => open(port)))) {
    socket.on('data', () => {
      answers += 1
      if (!isOver) socket.write(request('/busy'))
    })
    socket.write(request('/busy'))
  }
  await expect.poll(() => answers).toBeGreaterThan(5)
  const before = answers
  const others = Array.from({ length: 100 }, async (_, number) => {
    const socket = await open(port)
    socket.write(request(`/number/${number}`))
    await once(socket, 'data')
  })
  await Promise.all(others)
  isOver = true
  expect(answers - before).toBeLessThan(100)
})

test('an idle keep-alive connection retains neither request nor response', async () => {
  const { port } = await serve()
  const responses: WeakRef<object>[] = []
  const note = (message: unknown) => void responses.push(new WeakRef((message as { response: object }).response))
  subscribe('http.server.request.start', note)
  const waiting = Array.from({ length: 20 }, async (_, number) => {
    const socket = await open(port)
    socket.write(request(`/number/${number}`))
    await once(socket, 'data')
  })
  await Promise.all(waiting)
  unsubscribe('http.server.request.start', note)
  expect(responses).toHaveLength(20)
  await sleep(50)
  const inspector = new Session()
  inspector.connect()
  await inspector.post('HeapProfiler.collectGarbage')
  inspector.disconnect()
  expect(responses.filter(response => response.deref())).toEqual([])
})

test('slow headers get 408, and the connection is closed', { timeout: 60_000 }, async () => {
  const { port } = await serve({ lastWordsMs: 200, headersTimeout: 1_500, connectionsCheckingInterval: 250 })
  const socket = await open(port)
  let answer = ''
  socket.on('data', part => {
    answer += part
  })
  socket.write('GET /number/1 HTTP/1.1\r\nX: ')
  const drops = setInterval(() => socket.writable && socket.write('x'), 100)
  const gone = await isGone(socket, 30_000)
  clearInterval(drops)
  expect(gone).toBe(true)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

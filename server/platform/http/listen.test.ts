import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/platform/observability/log.ts'
import { findAvailablePort, type ListeningServer, listen } from './listen.ts'
import { createErrorHandler, notFound } from './problems.ts'
import { MAX_BODY_BYTES, readJsonBody } from './read-body.ts'

const host = '127.0.0.1'
let listening: ListeningServer | null = null
/** Requests that have reached the app. */
let slowCalls = 0
afterEach(async () => {
  await listening?.close(0)
  listening = null
})

/** @param lines receives the log lines */
async function serve(lines: string[] = []): Promise<number> {
  slowCalls = 0
  const app = new Hono()
  app.onError(createErrorHandler(createLog('info', { write: line => void lines.push(line) })))
  app.get('/slow', async c => {
    slowCalls += 1
    await sleep(400)
    return c.text('done')
  })
  app.get('/never', () => {
    slowCalls += 1
    return new Promise<never>(() => {})
  })
  app.get('/quick', c => c.text('done'))
  app.post('/body', async c => {
    const body = await readJsonBody(c)
    return c.json({ received: Array.isArray(body) ? 'a list' : body })
  })
  app.all('*', () => {
    throw notFound()
  })
  const port = await findAvailablePort(host, 0)
  listening = await listen(app, host, port)
  return port
}

/** Sends raw text over a socket and reads until the server closes the connection or sends nothing for a while. */
async function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, host)
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  const answered = once(socket, 'data').catch(() => closed)
  await once(socket, 'connect')
  for (const part of parts) {
    socket.write(part)
    await sleep(10)
  }
  await Promise.race([closed, answered.then(() => sleep(150)), sleep(5_000)])
  socket.destroy()
  return answer
}

const head = (...lines: string[]) =>
  ['POST /body HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines, '', ''].join('\r\n')
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

test('a chunked body is read, and rejected beyond the limit', async () => {
  const port = await serve()
  const chunked = head('Transfer-Encoding: chunked', 'Connection: close')
  expect(await sendRaw(port, chunked, chunk('{"a":'), chunk('1}'), '0\r\n\r\n')).toMatch(/ 200 .*"received":\{"a":1\}/s)
  const part = chunk('x'.repeat(MAX_BODY_BYTES / 4))
  expect(await sendRaw(port, chunked, part, part, part, part, part, '0\r\n\r\n')).toMatch(/ 413 .*"status":"Failed"/s)
})

test('an oversized body ends the connection with 413', async () => {
  const port = await serve()
  const part = chunk('x'.repeat(MAX_BODY_BYTES / 4))
  const answer = await sendRaw(port, head('Transfer-Encoding: chunked'), part, part, part, part, part, '0\r\n\r\n')
  expect(answer).toMatch(/ 413 .*\r\nconnection: close\r\n/is)
})

test.each([
  ['a length', 'Content-Length: 3000000', (part: string) => part],
  ['chunks', 'Transfer-Encoding: chunked', chunk],
])('a client that is still sending an oversized body by %s can read the error', async (_, header, framed) => {
  const socket = connect(await serve(), host)
  const send = promisify(socket.write.bind(socket) as (part: string, sent: (error?: Error) => void) => void)
  await send(head(header))
  for (let sent = 0; sent < 3_000_000; sent += 100_000) {
    await send(framed('x'.repeat(100_000)))
    await sleep(5)
  }
  if (header.endsWith('chunked')) await send('0\r\n\r\n')
  expect(await text(socket)).toMatch(/ 413 .*"status":"Failed"/s)
})

test('a wrong Content-Length is harmless', async () => {
  const port = await serve()
  expect(await sendRaw(port, head(`Content-Length: ${MAX_BODY_BYTES + 1}`), '{}')).toMatch(/ 413 /)
  expect(await sendRaw(port, head('Content-Length: 999999999999'), '{}')).toMatch(/ 413 /)
  // Content-Length is shorter than the body, so the rest is not part of this request.
  expect(await sendRaw(port, head('Content-Length: 2'), '{}{"a":1}')).not.toContain('"a":1')
  expect(await sendRaw(port, head('Content-Length: -1'), '{}')).toMatch(/ 400 /)
  expect(await sendRaw(port, head('Content-Length: 2', 'Transfer-Encoding: chunked'), '{}')).toMatch(/ 400 /)
})

test.each([
  ['text instead of JSON', 'hello'],
  ['incomplete JSON', '{"a":'],
  ['nothing', ''],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['JSON with a comment', '{} // x'],
])('%s is rejected as invalid JSON', async (_, body) => {
  const port = await serve()
  const length = Buffer.byteLength(body)
  expect(await sendRaw(port, head(`Content-Length: ${length}`, 'Connection: close'), body)).toMatch(
    / 400 .*"status":"Failed"/s,
  )
})

test('content other than JSON is rejected', async () => {
  const port = await serve()
  const form = head('Content-Length: 3', 'Connection: close').replace(
    'application/json',
    'application/x-www-form-urlencoded',
  )
  expect(await sendRaw(port, form, 'a=b')).toMatch(/ 415 .*"status":"Failed"/s)
})

test.each([
  ['another charset', 'Content-Type: application/json; charset=iso-8859-1', 415],
  ['a compressed body', 'Content-Encoding: gzip', 415],
  ['UTF-8 as explicit charset', 'Content-Type: Application/JSON; charset="UTF-8"', 200],
  ['identity as explicit encoding', 'Content-Encoding: identity', 200],
])('%s gets the appropriate error', async (_, header, status) => {
  const port = await serve()
  const lines = head('Content-Length: 2', 'Connection: close', header)
  const request = header.startsWith('Content-Type') ? lines.replace('Content-Type: application/json\r\n', '') : lines
  expect(await sendRaw(port, request, '{}')).toMatch(new RegExp(` ${status} `))
})

test('deeply nested JSON and prototype keys are plain data', async () => {
  const port = await serve()
  const nested = '['.repeat(40_000) + ']'.repeat(40_000)
  expect(await sendRaw(port, head(`Content-Length: ${nested.length}`, 'Connection: close'), nested)).toMatch(/ 200 /)
  const hostile = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"n":1e999}'
  expect(await sendRaw(port, head(`Content-Length: ${hostile.length}`, 'Connection: close'), hostile)).toMatch(/ 200 /)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

test('invalid HTTP and endless headers get a short response', async () => {
  const port = await serve()
  expect(await sendRaw(port, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"status":"Failed"/s)
  expect(await sendRaw(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
})

test.each([
  ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: x\r\n'],
  ['an invalid host', 'GET /quick HTTP/1.1\r\nHost: a b/c?d\r\n'],
  ['a URL of another scheme', 'GET ftp://x/quick HTTP/1.1\r\nHost: x\r\n'],
])('%s is rejected with a JSON error', async (_, lines) => {
  expect(await sendRaw(await serve(), `${lines}Connection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 400 .*application\/json.*"status":"Failed"/is,
  )
})

test('responds to HTTP/1.0 without a Host header, as in simple health checks', async () => {
  expect(await sendRaw(await serve(), 'GET /quick HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*done$/s)
})

test('a stop completes pending responses, then closes connections', async () => {
  const port = await serve()
  const agent = new Agent({ keepAlive: true })
  const get = (path: string) =>
    new Promise<number>((resolve, reject) => {
      httpRequest({ host, port, path, agent }, response => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
      })
        .once('error', reject)
        .end()
    })
  await get('/quick')
  const slow = get('/slow')
  await expect.poll(() => slowCalls, { interval: 5 }).toBe(1)
  const startedAt = performance.now()
  await listening?.close(5_000)
  expect(await slow).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(4_500)
  await expect(get('/quick')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
  agent.destroy()
})

test('a stop responds to requests in flight on new and existing connections', async () => {
  const port = await serve()
  const old = connect(port, host)
  await once(old, 'connect')
  const sockets = [old, ...Array.from({ length: 5 }, () => connect(port, host))]
  const answers = sockets.map(async socket => {
    let answer = ''
    socket.on('data', part => {
      answer += part
    })
    socket.on('error', () => undefined)
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await closed
    return answer
  })
  await expect.poll(() => slowCalls, { interval: 5 }).toBe(6)
  await listening?.close(5_000)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('a stop does not wait for connections without a request', async () => {
  const port = await serve()
  const silent = connect(port, host)
  await once(silent, 'connect')
  const startedAt = performance.now()
  await listening?.close(5_000)
  expect(performance.now() - startedAt).toBeLessThan(4_500)
})

test('a stop waits at most for the given time', async () => {
  const port = await serve()
  const answer = fetch(`http://${host}:${port}/never`).catch(() => 'cut off')
  await expect.poll(() => slowCalls, { interval: 5 }).toBe(1)
  await listening?.close(50)
  expect(await answer).toBe('cut off')
})

test('explains a port in use and an address of another machine', async () => {
  const other = createServer().listen(0, host)
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(findAvailablePort(host, port)).rejects.toThrow(`PORT ${port} on 127.0.0.1 is in use`)
  await expect(listen(new Hono(), host, port)).rejects.toThrow('is in use')
  await expect(findAvailablePort('192.0.2.1', 0)).rejects.toThrow('HOST 192.0.2.1 is no address of this machine')
  other.close()
})

test('a request aborted in its body is not logged as an error', async () => {
  const lines: string[] = []
  const port = await serve(lines)
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.write(`${head('Content-Length: 100')}{"a":`)
  await sleep(50)
  socket.destroy()
  await sleep(200)
  expect(lines).toEqual([])
})

test('a body slower than the minimum rate is refused, a steady one takes as long as it needs', async () => {
  const serveBody = (bytesPerPart: number) => {
    let seconds = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => seconds * 1_000)
    const part = new TextEncoder().encode(' '.repeat(bytesPerPart))
    const body = new ReadableStream({
      pull(stream) {
        seconds += 1
        if (seconds <= 90) return stream.enqueue(part)
        stream.enqueue(new TextEncoder().encode('[1]'))
        stream.close()
      },
    })
    const app = new Hono()
    app.onError(createErrorHandler(createLog('silent')))
    app.post('/body', async c => c.json(await readJsonBody(c, 1_000_000)))
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' as const }
    return Promise.resolve(app.request('/body', init)).finally(() => clock.mockRestore())
  }
  expect(await (await serveBody(5 * 1_024)).json()).toEqual([1])
  expect((await serveBody(3 * 1_024)).status).toBe(408)
})

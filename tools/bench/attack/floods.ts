import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD, type Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

const IDLE_MS = 3_000

/** Sends raw bytes. @returns the status lines of all responses until the connection closes or is idle */
function sendRaw(port: number, bytes: string): Promise<number[]> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    const end = () => {
      socket.destroy()
      resolve([...answer.matchAll(/^HTTP\/1\.\d (\d{3})/gm)].map(([, status]) => Number(status)))
    }
    socket.setTimeout(IDLE_MS, end)
    socket.on('data', data => {
      answer += data.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
  })
}

const HOST = 'Host: localhost\r\n'
const GET = `GET /api/health HTTP/1.1\r\n${HOST}`
const post = (headers: string, body: string) =>
  `POST /api/clienterror HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nCookie: XSRF-TOKEN=a\r\nX-XSRF-TOKEN: a\r\n${headers}\r\n${body}`
const SMUGGLED = 'GET /api/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'

/**
 * Malformed requests. Each must be rejected or answered exactly once: no response to a smuggled request, and no server
 * error.
 */
const CASES: [name: string, bytes: string][] = [
  ['length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
  ['chunks named twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${SMUGGLED}`)],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 40\r\n', `{}${SMUGGLED}`)],
  ['a length with a sign', post('Content-Length: +2\r\n', `{}${SMUGGLED}`)],
  ['a length in hex', post('Content-Length: 0x2\r\n', `{}${SMUGGLED}`)],
  ['a blank before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
  ['a folded header', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
  ['a broken chunk', post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)],
  ['two hosts', `GET /api/health HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ['a foreign address', `GET http://evil.example/api/health HTTP/1.1\r\n${HOST}\r\n`],
  ['NUL in the path', `GET /api/he\0alth HTTP/1.1\r\n${HOST}\r\n`],
  ['a path upwards', `GET /../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`],
  ['an encoded path upwards', `GET /content/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n${HOST}\r\n`],
  ['an endless header', `${GET}X: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a thousand headers', `${GET}${'X: a\r\n'.repeat(3_000)}\r\n`],
  ['an unknown method', `BREW /api/health HTTP/1.1\r\n${HOST}\r\n`],
  ['an upgrade', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n`],
  ['another version', `GET /api/health HTTP/9.9\r\n${HOST}\r\n`],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a line break in a header', `${GET}X: a\rSet-Cookie: b\r\n\r\n`],
]

/** Sends malformed requests over separate sockets, then verifies that the portal still responds. */
export async function attackWithSockets({ portal }: Target): Promise<AttackResult> {
  const { outcome, note } = createAttackResult('raw sockets')
  const port = Number(new URL(portal.url).port)
  for (const [name, bytes] of CASES) {
    const statuses = await sendRaw(port, bytes)
    const isSmuggled = bytes.includes('smuggled') && statuses.length > 1
    const isFault = statuses.some(status => status >= 500 && status !== 501 && status !== 505)
    note(isSmuggled || isFault ? `${name}: ${statuses.join(', ')}` : null)
  }
  const { ok } = await fetch(`${portal.url}/api/health`)
  note(ok ? null : 'the portal does not answer any more')
  return outcome
}

const HEADERS = { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a' }
/** The timeout is generous because the load generator and the portal share this machine. */
const PATIENCE_MS = 5_000

const timed = async (work: () => Promise<Response>) => {
  const startedAt = performance.now()
  const response = await work()
  return { ms: Math.round(performance.now() - startedAt), response }
}

const logIn = (url: string, userName: string, password: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/session`, {
    method: 'PUT',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify({ userName, password, keepSession: false }),
  })

/** Sends concurrent logins with wrong passwords; a login from a recognized browser must still succeed. */
async function floodLogins({ portal, people }: Target, note: (failure: string | null) => void): Promise<void> {
  const { email } = people.waiting
  const first = await logIn(portal.url, email, PASSWORD)
  const cookies = first.headers.getSetCookie().map(cookie => cookie.split(';')[0])
  const known = { Cookie: [HEADERS.Cookie, ...cookies].join('; ') }
  const flood = Array.from({ length: 1_500 }, (_, index) =>
    logIn(portal.url, `fremd${index}@ziel.example`, 'falsch-falsch').then(
      ({ status }) => status,
      () => 0,
    ),
  )
  await sleep(50)
  const { ms, response } = await timed(() => logIn(portal.url, email, PASSWORD, known))
  const { status } = (await response.json()) as { status: string }
  console.log(`a right login of a known browser during 1,500 wrong ones: ${status} after ${ms} ms`)
  note(status === 'Ok' && ms < PATIENCE_MS ? null : `a right login during the flood: ${status} after ${ms} ms`)
  const answers = await Promise.all(flood)
  for (const answered of answers) {
    note(answered === 0 ? 'a wrong login without an answer' : answered < 500 || answered === 503 ? null : `${answered}`)
  }
}

/** Opens sockets that send many requests and never read the responses. */
async function floodSockets({ portal }: Target, note: (failure: string | null) => void): Promise<void> {
  const port = Number(new URL(portal.url).port)
  const request = 'GET /api/course HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50)
  const sockets: Socket[] = []
  for (let index = 0; index < 500; index++) {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', () => undefined)
    socket.pause()
    sockets.push(socket)
  }
  await sleep(2_000)
  const { ms, response } = await timed(() => fetch(`${portal.url}/api/health`))
  console.log(`health beside 500 sockets that never read: ${response.status} after ${ms} ms`)
  note(response.ok && ms < PATIENCE_MS ? null : `health ${response.status} after ${ms} ms`)
  for (const socket of sockets) socket.destroy()
}

const STALLED_UPLOADS = 200
const MAX_GROWTH_MB = 80

/** Opens uploads of one session that send all but the end and stall; measures the memory of the portal's process. */
async function stallUploads({ portal, people }: Target, note: (failure: string | null) => void): Promise<void> {
  const memoryMb = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${portal.pid}/status`, 'utf8'))?.[1]) / 1024
  const before = await memoryMb()
  const port = Number(new URL(portal.url).port)
  const bytes = 10_000_000
  const head = `POST /api/proofs HTTP/1.1\r\n${HOST}Cookie: XSRF-TOKEN=a\r\nX-XSRF-TOKEN: a\r\nSessionToken: ${people.stranger.token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes}\r\n\r\n`
  const body = Buffer.alloc(bytes - 1)
  const statuses: number[] = []
  const sockets = Array.from({ length: STALLED_UPLOADS }, () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head)
      socket.write(body)
    })
    socket.on('error', () => undefined)
    socket.on('data', data => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1')) ?? []
      if (status) statuses.push(Number(status))
    })
    return socket
  })
  let most = before
  for (let second = 0; second < 20; second++) {
    await sleep(1_000)
    most = Math.max(most, await memoryMb())
  }
  for (const socket of sockets) socket.destroy()
  await sleep(5_000)
  const [growth, after] = [Math.round(most - before), Math.round((await memoryMb()) - before)]
  const refused = statuses.filter(status => status === 429).length
  console.log(
    `${STALLED_UPLOADS} stalled uploads of one session: +${growth} MB, later +${after} MB, ${refused} times 429`,
  )
  note(growth <= MAX_GROWTH_MB ? null : `stalled uploads: memory grew by ${growth} MB`)
}

/** Denial of service from one address; measures the latency of other clients. */
export async function attackWithFloods(target: Target): Promise<AttackResult> {
  const { outcome, note } = createAttackResult('floods')
  await stallUploads(target, note)
  await floodSockets(target, note)
  await floodLogins(target, note)
  return outcome
}

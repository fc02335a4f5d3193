import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './fixture.ts'
import { PASSWORD } from './fixture.ts'
import { createOutcome, type Outcome } from './report.ts'

const HEADERS = { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a' }
/** Generous timeout: load generator and portal share this machine. */
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

/** Concurrent wrong logins; a login from a recognized browser must still succeed. */
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

/** Sockets that send many requests and never read the responses. */
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

/** Denial of service from one address, with the latency of other clients. */
export async function attackWithFloods(target: Target): Promise<Outcome> {
  const { outcome, note } = createOutcome('floods')
  await floodSockets(target, note)
  await floodLogins(target, note)
  return outcome
}

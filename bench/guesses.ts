import { setTimeout as sleep } from 'node:timers/promises'
import { checkEmailPassword } from '../contract/accounts.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { changePassword, login } from '../contract/session.ts'
import { DEMO_PASSWORD, emailOf, Portal } from '../e2e/portal.ts'

/**
 * Effect of password guessing and of one aggressive client on all others. Real sockets, one server process, client
 * addresses set by a proxy header.
 */
const RIGHT_LOGINS = 1_000
/** 1,000: the whole company within one second */
const AT_ONCE = Number(process.argv[2] ?? 100)
const GUESSES = 1_500
const CHANGES = 600
const OWNER = emailOf('employee')

const portal = await Portal.open({ DEMO: 'on', TRUSTED_PROXIES: '127.0.0.0/8' })

type Answer = { status: number; outcome: string; id: string; cookie: string; ms: number }
/** A refusal must include Retry-After. */
const retry = (response: Response) => (response.headers.has('Retry-After') ? '' : ' without Retry-After')

async function send(
  endpoint: Endpoint,
  body: object,
  { address, cookie = '', token = '' }: { address: string; cookie?: string; token?: string },
): Promise<Answer> {
  const startedAt = performance.now()
  const lost = { status: 0, outcome: 'no answer', id: '', cookie: '', ms: Number.NaN }
  const response = await fetch(`${portal.url}${endpoint.path}`, {
    method: endpoint.method,
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      Cookie: `XSRF-TOKEN=bench; ${cookie}`,
      'X-XSRF-TOKEN': 'bench',
      ...(token && { SessionToken: token }),
    },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null) return lost
  const { status, id = '', message = '' } = (await response.json()) as Record<string, string | undefined>
  const outcome = response.ok ? (status ?? '') : `${message}${retry(response)}`
  const set = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { status: response.status, outcome, id, cookie: set, ms: performance.now() - startedAt }
}
const logIn = (userName: string, password: string, from: { address: string; cookie?: string }) =>
  send(login, { userName, password, keepSession: false }, from)
async function timeOfHealth(): Promise<number> {
  const startedAt = performance.now()
  const { ok } = await fetch(`${portal.url}/api/health`)
  return ok ? performance.now() - startedAt : Number.NaN
}
const count = (answers: Answer[]) => {
  const kinds = answers.map(({ status, outcome }) => `${status} ${outcome}`)
  return [...new Set(kinds)].map(kind => `${kinds.filter(one => one === kind).length} × ${kind}`).join(', ')
}
const all = (length: number, one: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => one(index)))

const company = '192.0.2.1'
const startedAt = performance.now()
const right: Answer[] = []
while (right.length < RIGHT_LOGINS) {
  right.push(...(await all(AT_ONCE, () => logIn(emailOf('pensioner'), DEMO_PASSWORD, { address: company }))))
}
const seconds = (performance.now() - startedAt) / 1000
console.log(`${RIGHT_LOGINS} right logins from one address in ${seconds.toFixed(1)} s: ${count(right)}`)

const { cookie } = await logIn(OWNER, DEMO_PASSWORD, { address: company })
const quiet = await logIn(OWNER, DEMO_PASSWORD, { address: company, cookie })
const flood = all(GUESSES, index => logIn(`user${index}@bench.example`, 'Falsch-12345', { address: company }))
await sleep(300)
const [known, elsewhere, healthMs] = await Promise.all([
  logIn(OWNER, DEMO_PASSWORD, { address: company, cookie }),
  logIn(OWNER, DEMO_PASSWORD, { address: '198.51.100.7' }),
  timeOfHealth(),
])
console.log(`${GUESSES} wrong logins at once from one address: ${count(await flood)}`)
for (const [name, { ms, outcome }] of Object.entries({
  quiet,
  'known browser there': known,
  'another address': elsewhere,
})) {
  console.log(`a right login, ${name}: ${outcome} after ${ms.toFixed(0)} ms`)
}
console.log(`health meanwhile: ${healthMs.toFixed(0)} ms`)

const register = (index: number) =>
  send(
    checkEmailPassword,
    { email: `new${index}@bench.example`, password: 'Blauer.Elefant9', confirmPassword: 'Blauer.Elefant9' },
    { address: '198.51.100.8' },
  )
const before = await register(0)
const changes = all(CHANGES, index => {
  const password = `pa55w0rd-Sommer-${index}-qwertz-2026`
  return send(changePassword, { password, confirmPassword: password }, { address: company, token: elsewhere.id })
})
await sleep(300)
const during = await register(1)
const done = await changes
console.log(`${CHANGES} password changes of one person: ${count(done)}`)
console.log(
  `a stranger's first step of the registration: ${before.ms.toFixed(0)} ms before, ${during.ms.toFixed(0)} ms meanwhile`,
)
await portal.close()

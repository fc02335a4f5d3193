import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ACTS } from '../../../contract/acts/acts.ts'
import { bookCourse, type Course, cancelCourse, listCoursesOfSession } from '../../../contract/endpoints/courses.ts'
import { login } from '../../../contract/endpoints/session.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { performAct } from '../../../contract/office/office.ts'
import { LEAK } from '../../../contract/test/hostile.ts'
import { SCOPES, type Scope } from '../../../contract/values.ts'
import { DEMO_PASSWORD, emailOf } from '../../../e2e/portal.ts'
import type { Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

type Note = (failure: string | null) => void
type Sent = { method?: string; headers?: Record<string, string>; body?: string }
const PROTECTED = ['session', 'instructor', 'office']

const makeToken = () => randomUUID().replaceAll('-', '') + randomUUID().replaceAll('-', '')
const ask = async (target: Target, path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
  const response = await fetch(`${target.portal.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a', ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Logs in as an owner who performs office acts. */
async function openDesk(target: Target) {
  const { id: token } = await target.portal.call(login, {
    body: { userName: emailOf('desk'), password: DEMO_PASSWORD, keepSession: false },
  })
  return (act: object) =>
    ask(target, performAct.path, {
      method: 'POST',
      headers: { SessionToken: token },
      body: JSON.stringify({ actId: randomUUID(), ...act }),
    })
}
type Desk = Awaited<ReturnType<typeof openDesk>>

/** Verifies that users without rights can neither perform acts nor read office data. */
async function attackDesk(target: Target, note: Note): Promise<void> {
  const calls = Object.entries(endpoints).filter(([, { access }]) => access === 'office')
  for (const person of Object.values(target.people)) {
    const headers = { SessionToken: person.token }
    for (const [name, { method, path, body }] of calls) {
      const { status } = await ask(target, path.replace(/:\w+/g, '1'), { method, headers, ...(body && { body: '{}' }) })
      note(status === 403 ? null : `${name} by ${person.name}: ${status}`)
    }
    for (const kind of Object.keys(ACTS)) {
      const body = JSON.stringify({ actId: randomUUID(), kind, what: 'course', id: 1, preview: true })
      const { status } = await ask(target, performAct.path, { method: 'POST', headers, body })
      note(status === 403 ? null : `${kind} by ${person.name}: ${status}`)
    }
  }
}

/**
 * Verifies that a service token allows only the endpoints of its scope, and none if it is revoked or sent in another
 * header or parameter.
 */
async function attackTokens(target: Target, office: Desk, note: Note): Promise<Record<Scope, string>> {
  const make = async (scope: Scope) => {
    const token = makeToken()
    const { text } = await office({
      kind: 'create-token',
      name: `Angriff ${scope}`,
      token,
      scopes: [scope],
      expiresOn: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
    })
    return { token, tokenId: Number(JSON.parse(text).result?.tokenId) }
  }
  const tokens: Partial<Record<Scope, string>> = {}
  for (const scope of SCOPES) {
    const { token, tokenId } = await make(scope)
    const revoked = await make(scope)
    await office({ kind: 'revoke-token', tokenId: revoked.tokenId })
    tokens[scope] = token
    note(tokenId > 0 ? null : `no token of ${scope} was made`)
    for (const [name, { method, path, access, body, scopes = [] }] of Object.entries(endpoints)) {
      if (!PROTECTED.includes(access)) continue
      const as = (headers: Record<string, string>) =>
        ask(target, path.replace(/:\w+/g, '1'), { method, headers, ...(body && { body: '{}' }) })
      const { status } = await as({ Authorization: `Bearer ${token}` })
      const isRefused = status === 401 || status === 403
      note(scopes.includes(scope) === isRefused ? `${name} with ${scope}: ${status}` : null)
      const elsewhere: Record<string, string>[] = [
        { Authorization: `Bearer ${revoked.token}` },
        { SessionToken: token },
        { Authorization: `Basic ${token}` },
      ]
      for (const headers of elsewhere) {
        const refused = await as(headers)
        note(
          refused.status === 401 || refused.status === 403
            ? null
            : `${name} with ${Object.keys(headers)}: ${refused.status}`,
        )
      }
    }
  }
  return { 'programme-read': '', lists: '', health: '', programme: '', bookings: '', people: '', ...tokens }
}

const HOSTILE_BODIES = [
  '[',
  'null',
  '[]',
  '{"__proto__":{"active":true}}',
  `{"userName":${JSON.stringify("a' or 1=1 --")}}`,
  '['.repeat(20_000),
  JSON.stringify({ userName: 'x'.repeat(60_000) }),
  JSON.stringify({
    Operations: Array.from({ length: 1_000 }, () => ({ op: 'replace', path: 'active', value: false })),
  }),
  JSON.stringify({ Operations: [{ op: 'replace', path: '__proto__.active', value: 1 }] }),
  JSON.stringify({ Operations: [{ op: 'replace', path: 'function Object() { [native code] }', value: 1 }] }),
  JSON.stringify({ userName: '\0', active: 'x' }),
]
const HOSTILE_FILTERS = [
  `userName eq "a' or 1=1 --"`,
  'userName eq "',
  `userName eq "${'\\'.repeat(2_000)}`,
  'a'.repeat(4_000),
  'userName eq "a" or userName pr',
  'userName eq "\0"',
  '(((((((((((((((((userName eq "a"',
]

/** Verifies that SCIM requires the scope `people` and always responds in SCIM format. */
async function attackScim(target: Target, tokens: Record<Scope, string>, note: Note): Promise<void> {
  const base = '/api/scim/v2'
  const paths = [
    '/Users',
    `/Users/${randomUUID()}`,
    '/Users/1',
    '/Schemas',
    '/ServiceProviderConfig',
    '/Bulk',
    '/Me',
    '/Users/.search',
  ]
  const callers: [string, Record<string, string>][] = [
    ['nobody', {}],
    ['a person', { SessionToken: target.people.participant.token }],
    ['the scope lists', { Authorization: `Bearer ${tokens.lists}` }],
    ['the scope programme', { Authorization: `Bearer ${tokens.programme}` }],
  ]
  for (const path of paths.slice(0, 5)) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const [who, headers] of callers) {
        const { status } = await ask(target, base + path, { method, headers, ...(method !== 'GET' && { body: '{}' }) })
        note([401, 403, 404].includes(status) ? null : `SCIM ${method} ${path} by ${who}: ${status}`)
      }
    }
  }
  const headers = { Authorization: `Bearer ${tokens.people}`, 'Content-Type': 'application/scim+json' }
  const judge = (at: string, { status, text }: Awaited<ReturnType<typeof ask>>) =>
    note(
      status >= 500 || LEAK.test(text) || (status >= 400 && !text.includes('scim:api:messages:2.0:Error'))
        ? `${at}: ${status} ${text.slice(0, 100)}`
        : null,
    )
  for (const path of paths)
    for (const method of ['POST', 'PUT', 'PATCH'])
      for (const body of HOSTILE_BODIES)
        judge(`SCIM ${method} ${path}`, await ask(target, base + path, { method, headers, body }))
  for (const filter of HOSTILE_FILTERS)
    judge(
      `SCIM filter ${filter.slice(0, 30)}`,
      await ask(target, `${base}/Users?${new URLSearchParams({ filter })}`, { headers }),
    )
}

/** SSRF test: no webhook may reach the portal's internal network. */
async function attackWebhooks(target: Target, office: Desk, note: Note): Promise<void> {
  const calls: string[] = []
  const receiver = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => receiver.once('listening', resolve))
  const { port } = receiver.address() as AddressInfo
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '127.1',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
  ]
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const { status } = await office({
        kind: 'save-webhook',
        name: host,
        url: `${scheme}://${host}:${port}/x`,
        secret: makeToken(),
        kinds: ['booking', 'cancellation'],
      })
      note(status < 500 ? null : `a webhook to ${host}: ${status}`)
    }
  }
  for (const url of [
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    `https://user:word@127.0.0.1:${port}/`,
    'javascript:alert(1)',
  ]) {
    const { status } = await office({
      kind: 'save-webhook',
      name: 'x',
      url,
      secret: makeToken(),
      kinds: ['booking', 'cancellation'],
    })
    note(status === 400 ? null : `a webhook to ${url}: ${status}`)
  }
  const { external } = target.people
  const courses = (await target.portal.call(listCoursesOfSession, { token: external.token })) as Course[]
  const body = { id: courses.find(({ directlyBookable }) => directlyBookable)?.id ?? 0 }
  await target.portal.call(bookCourse, { token: external.token, body })
  await target.portal.call(cancelCourse, { token: external.token, body })
  await sleep(5_000)
  receiver.close()
  for (const host of hosts) note(calls.length === 0 ? null : `a webhook reached ${host}`)
}

/** Verifies that public pages are identical for all callers, contain no personal data and do not reflect input. */
async function attackOpenPages(target: Target, note: Note): Promise<void> {
  const words = encodeURIComponent('"><script>hit()</script>')
  const feeds = [
    '/api/public/courses',
    '/api/public/openactive',
    '/api/docs',
    '/embed',
    `/embed?category=${words}&lang=${words}`,
  ]
  const secrets = [
    ...Object.values(target.people).flatMap(({ secret, email }) => [secret, email]),
    target.hiddenNumber,
    'CANARYROOM',
  ]
  for (const path of feeds) {
    const plain = await ask(target, path)
    for (const person of Object.values(target.people)) {
      const { text } = await ask(target, path, { headers: { SessionToken: person.token } })
      note(text === plain.text ? null : `${path} differs for ${person.name}`)
    }
    for (const secret of secrets) note(plain.text.includes(secret) ? `${path} shows ${secret}` : null)
    note(plain.status === 200 ? null : `${path}: ${plain.status}`)
    note(plain.text.includes('hit()') ? `${path} gives back what it was sent` : null)
    const policy = plain.headers.get('Content-Security-Policy') ?? ''
    note(policy.includes("default-src 'none'") ? null : `${path} has the policy ${policy}`)
    note(/frame-ancestors (?!'none')/.test(policy) ? `${path} may be framed` : null)
  }
  for (const file of [
    'course-1.ics',
    `course-${'9'.repeat(30)}.ics`,
    '..%2f..%2fetc%2fpasswd',
    'category-0.ics',
    words,
  ]) {
    const { status, text } = await ask(target, `/api/public/calendar/${file}`)
    note(status < 500 && !secrets.some(secret => text.includes(secret)) ? null : `the calendar ${file}: ${status}`)
  }
}

/** Tests single sign-on: no open redirect, and no session without the identity provider's assertion. */
async function attackCompanyLogin(target: Target, note: Note): Promise<void> {
  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:hit()',
    '/%0d%0aSet-Cookie:a=b',
  ]) {
    const { status, headers } = await ask(target, `/api/session/company/start?${new URLSearchParams({ next })}`)
    const to = new URL(headers.get('Location') ?? '/', target.portal.url)
    note(status === 400 || to.origin === target.portal.url ? null : `the login leads to ${to}`)
  }
  for (const query of [
    '',
    '?code=a&state=b',
    `?code=${'a'.repeat(3_000)}&state=b&iss=https://evil.example`,
    '?error=x&state=',
    '?state=b&state=c&code=d',
  ]) {
    const { status, headers, text } = await ask(target, `/api/session/company/return${query}`)
    const to = new URL(headers.get('Location') ?? '/', target.portal.url)
    note(
      (status === 302 || status === 400) && to.origin === target.portal.url && !LEAK.test(text)
        ? null
        : `the return ${query.slice(0, 40)}: ${status}`,
    )
    const finished = await ask(target, '/api/session/company', {
      method: 'POST',
      body: '{}',
      headers: { Cookie: `XSRF-TOKEN=a; CompanyLogin=${makeToken()}` },
    })
    note(/"status":"Ok"/.test(finished.text) ? 'a made-up way logs in' : null)
  }
}

/**
 * Attacks the machine interfaces: office API, service tokens, SCIM, webhooks, feeds, embedded pages, single sign-on.
 */
export async function attackPrograms(target: Target): Promise<AttackResult[]> {
  const office = await openDesk(target)
  const run = async <Result>(
    attack: string,
    work: (note: Note) => Promise<Result>,
  ): Promise<[AttackResult, Result]> => {
    const { outcome, note } = createAttackResult(attack)
    return [outcome, await work(note)]
  }
  const [officeResponse] = await run('the desk without a right', note => attackDesk(target, note))
  const [byToken, tokens] = await run('service tokens', note => attackTokens(target, office, note))
  const [byScim] = await run('SCIM', note => attackScim(target, tokens, note))
  const [byWebhook] = await run('webhooks into the network', note => attackWebhooks(target, office, note))
  const [open] = await run('feeds, embed and docs', note => attackOpenPages(target, note))
  const [company] = await run('company login', note => attackCompanyLogin(target, note))
  return [officeResponse, byToken, byScim, byWebhook, open, company]
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getWebUser } from '#contract/endpoints/accounts.ts'
import { finishCompanyLogin } from '#contract/endpoints/company.ts'
import { sql } from '#server/platform/db/client.ts'
import { CLIENT, type CompanyProvider, startCompanyProvider } from '#server/test/company-provider.ts'
import { createCompanyServer } from '#server/test/company-server.ts'
import { insertSession } from '#server/test/factories.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'

const PORTAL = 'http://127.0.0.1:4998'
const PATH = '/api/session/company/back-channel'

/** Requests of the provider to the portal, and the portal's responses. */
const heard: { token: string; status: number }[] = []
const send = (token: string, headers: Record<string, string> = {}) =>
  server.app.request(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
/** Serves only the portal's back-channel endpoint; the other endpoints have no socket in this test. */
const door = createServer(async (request, response) => {
  const token = new URLSearchParams(await text(request)).get('logout_token') ?? ''
  const { status } = await send(token)
  heard.push({ token, status })
  response.writeHead(status).end()
})

let provider: CompanyProvider
let server: TestServer
beforeAll(async () => {
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  provider = await startCompanyProvider(`${PORTAL}/api/session/company/return`, `http://127.0.0.1:${port}${PATH}`)
  server = await createCompanyServer(PORTAL, provider, { personnelNumber: 'employee_number' })
})
afterAll(async () => {
  await server.close()
  await provider.close()
  door.close()
})
beforeEach(() => {
  provider.isDown = false
})

const cookiesOf = (response: Response) => response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')

/** Logs in through the provider in a separate browser. */
async function logIn(sub: string) {
  provider.person = { sub, employee_number: `90${sub}` }
  const start = await server.app.request('/api/session/company/start')
  const jar = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(pair => pair.join('=')).join('; ')
    const answer = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, Cookie: cookie } })
    for (const one of cookiesOf(answer)) jar.set(one.split('=')[0] ?? '', one.slice(one.indexOf('=') + 1))
    return answer
  }
  let url = start.headers.get('Location') ?? ''
  while (url.startsWith(provider.issuer)) url = new URL((await visit(url)).headers.get('Location') ?? '', url).href
  const headers = { Cookie: `XSRF-TOKEN=test; ${cookiesOf(start).join('; ')}` }
  const back = new URL(url)
  await server.app.request(back.pathname + back.search, { headers })
  const { body } = await server.request(finishCompanyLogin, { body: {}, headers })
  expect(body.status).toBe('Ok')
  /** Logs out at the provider itself. */
  const leave = async () => {
    const page = await (await visit(`${provider.issuer}/session/end?client_id=${CLIENT.id}`)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await visit(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
  }
  return { id: body.webUserId, token: body.id, leave }
}
const works = async (token: string) => (await server.request(getWebUser, { token })).status === 200

const now = () => Math.floor(Date.now() / 1000)
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const claims = (more: Record<string, unknown> = {}) => ({
  iss: provider.issuer,
  aud: CLIENT.id,
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  events: EVENT,
  ...more,
})

test('a logout at the provider ends the session that it opened, and no other', async () => {
  const [office, phone] = [await logIn('ada'), await logIn('ada')]
  const other = await logIn('bob')
  const byPassword = await insertSession(server.db, office.id)
  heard.length = 0
  await office.leave()
  expect(heard).toMatchObject([{ status: 200 }])
  expect(await works(office.token)).toBe(false)
  expect([await works(phone.token), await works(other.token), await works(byPassword)]).toEqual([true, true, true])

  // A token is accepted only once.
  const again = await send(heard[0]?.token ?? '')
  expect([again.status, await again.json()]).toEqual([400, { error: 'invalid_request', error_description: 'jti' }])
  expect(again.headers.get('Cache-Control')).toBe('no-store')
})

test('a logout by subject ends all company sessions and pending logins of that person, and no others', async () => {
  const [office, phone] = [await logIn('eva'), await logIn('eva')]
  const other = await logIn('finn')
  const byPassword = await insertSession(server.db, office.id)
  await server.db.execute(sql`
    insert into company_logins (browser_hash, state_hash, nonce, verifier, outcome, web_user_id, expires_at)
    values ('\\x99', '\\x98', '', '', 'Ok', ${office.id}, now() + interval '5 minutes')`)
  const answer = await send(await provider.sign(claims({ sub: 'eva' })))
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect([await works(office.token), await works(phone.token)]).toEqual([false, false])
  expect([await works(other.token), await works(byPassword)]).toEqual([true, true])
  expect(await server.db.query(sql`select from company_logins where web_user_id = ${office.id}`)).toEqual([])
  // A subject without an account is ignored.
  expect((await send(await provider.sign(claims({ sub: 'nobody' })))).status).toBe(200)
})

test.each<[string, () => Promise<string> | string]>([
  ['nothing', () => ''],
  ['no token', () => 'a.b.c'],
  ['another issuer', () => provider.sign(claims({ sub: 'gil', iss: 'https://evil.example' }))],
  ['another audience', () => provider.sign(claims({ sub: 'gil', aud: 'other' }))],
  ['a token without a date', () => provider.sign(claims({ sub: 'gil', iat: undefined }))],
  ['an old token', () => provider.sign(claims({ sub: 'gil', iat: now() - 900, exp: now() + 900 }))],
  ['an expired token', () => provider.sign(claims({ sub: 'gil', exp: now() - 90 }))],
  ['a token from the future', () => provider.sign(claims({ sub: 'gil', iat: now() + 900, exp: now() + 990 }))],
  ['no event', () => provider.sign(claims({ sub: 'gil', events: undefined }))],
  ['another event', () => provider.sign(claims({ sub: 'gil', events: { other: {} } }))],
  ['an ID token, which has a nonce', () => provider.sign(claims({ sub: 'gil', nonce: 'n' }))],
  ['no token id', () => provider.sign(claims({ sub: 'gil', jti: undefined }))],
  ['no subject', () => provider.sign(claims())],
  ['no signature', () => new UnsecuredJWT(claims({ sub: 'gil' })).encode()],
  [
    'the secret of the portal as the key',
    () => new SignJWT(claims({ sub: 'gil' })).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret)),
  ],
])('%s: the logout token is rejected', async (_, make) => {
  const { token } = await logIn('gil')
  const answer = await send(await make())
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  expect(await works(token)).toBe(true)
})

test('tokens signed with another key, JSON bodies and large bodies are rejected', async () => {
  const stranger = await startCompanyProvider(`${PORTAL}/api/session/company/return`)
  try {
    expect((await send(await stranger.sign(claims({ sub: 'gil' })))).status).toBe(400)
  } finally {
    await stranger.close()
  }
  expect((await send('a.b.c', { 'Content-Type': 'application/json' })).status).toBe(415)
  expect((await send('a'.repeat(40_000))).status).toBe(413)
})

test("if the provider's keys cannot be fetched, the response is 503", async () => {
  const fresh = await createTestServer({ ...server.context.config, publicUrl: PORTAL })
  try {
    provider.isDown = true
    const token = await provider.sign(claims({ sub: 'gil' }))
    const body = new URLSearchParams({ logout_token: token }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await fresh.app.request(PATH, { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30'])
    provider.isDown = false
    expect((await fresh.app.request(PATH, { method: 'POST', headers, body })).status).toBe(200)
  } finally {
    await fresh.close()
  }
})

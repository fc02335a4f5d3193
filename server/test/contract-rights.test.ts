import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { failure, RIGHTS, RIGHTS_OF_SCOPE, SCOPES } from '#contract/values.ts'
import { createApp } from '#server/app.ts'
import { insertSession } from './factories.ts'
import { insertOfficer, openTestProgram } from './office.ts'
import { createWorld } from './samples.ts'
import { openTestServer } from './server.ts'

const server = await openTestServer()
const world = await createWorld(server.db)

const all = Object.entries(endpoints)
const isProtected = ({ access }: Endpoint) => ['session', 'instructor', 'office'].includes(access)
const call = (name: string, endpoint: Endpoint, token?: string) =>
  server.request(endpoint, { ...world.samples[name], ...(token && { token }) } as object)

const expectFailure = (answer: { status: number; body: unknown }, status: number) => {
  expect(answer.status).toBe(status)
  expect(v.is(failure, answer.body)).toBe(true)
}

test('every endpoint of the contract is mounted, and no others', () => {
  const { app, api } = createApp(server.context)
  expect([...api.mounted].map(({ path, method }) => `${method} ${path}`).sort()).toEqual(
    all.map(([, { path, method }]) => `${method} ${path}`).sort(),
  )
  const known = new Set(all.map(([, { path, method }]) => `${method} ${path.toLowerCase()}`))
  // These routes are defined by standards of their own and tested in scim.test.ts, login.test.ts and unsubscribe.test.ts.
  const beside = app.routes.filter(({ path }) =>
    /^\/api\/(?!\*$|scim\/v2\b|session\/company\/back-channel$|unsubscribe\/)/.test(path),
  )
  expect(beside.filter(({ path, method }) => !known.has(`${method} ${path.toLowerCase()}`))).toEqual([])
})

describe.each(all.filter(([, endpoint]) => isProtected(endpoint)))('%s', (name, endpoint) => {
  test.each([
    ['no token', undefined],
    ['an unknown token', 'a'.repeat(43)],
    ['a token that is too long', 'a'.repeat(5_000)],
    ['an empty token', ''],
  ])('is 401 with %s', async (_, token) => {
    expectFailure(await call(name, endpoint, token), 401)
  })

  test('is 401 with an expired token', async () => {
    const token = await insertSession(server.db, world.teacher.id, { expiresAt: '2020-01-01' })
    expectFailure(await call(name, endpoint, token), 401)
  })

  test('401 takes precedence over 400', async () => {
    const answer = await server.request(endpoint, { ...world.samples[name], body: endpoint.body && {} } as object)
    expectFailure(answer, 401)
  })
})

test.each(all.filter(([, endpoint]) => isProtected(endpoint) && endpoint.access !== 'office'))(
  '%s is 403 for a service token of all scopes',
  async (name, endpoint) => {
    const { headers } = await openTestProgram(server, SCOPES)
    expectFailure(await server.request(endpoint, { ...world.samples[name], headers } as object), 403)
  },
)

describe.each(all.filter(([, { access }]) => access === 'instructor'))('%s', (name, endpoint) => {
  test('is 403 for a participant and for an instructor of another course', async () => {
    expectFailure(await call(name, endpoint, world.participant.token), 403)
    expectFailure(await call(name, endpoint, world.otherTeacher.token), 403)
  })

  test('is allowed for an instructor of the course', async () => {
    expect((await call(name, endpoint, world.teacher.token)).status).toBe(200)
  })
})

test('each office call declares its permissions, except two that accept any and limit the response accordingly', () => {
  const open = all.filter(([, { access, rights }]) => access === 'office' && !rights).map(([name]) => name)
  expect(open.sort()).toEqual(['getToday', 'writeOfficeTable'])
})

describe.each(all.filter(([, { access }]) => access === 'office'))('%s', (name, endpoint) => {
  test('is 403 for everyone outside the department, for any request', async () => {
    for (const { id } of [world.participant, world.teacher]) {
      const token = await insertSession(server.db, id)
      expectFailure(await call(name, endpoint, token), 403)
      if (endpoint.body) expectFailure(await server.request(endpoint, { token, body: {} } as object), 403)
    }
  })

  test.each(SCOPES)('requires scope %s of a service token', async scope => {
    const { headers } = await openTestProgram(server, [scope])
    const { rights, scopes = [] } = endpoint
    const needed = typeof rights === 'function' ? rights(world.samples[name]?.body) : null
    const isSufficient = !needed || RIGHTS_OF_SCOPE[scope].some(right => needed.includes(right))
    const answer = await server.request(endpoint, { ...world.samples[name], headers } as object)
    if (scopes.includes(scope) && isSufficient) expect([200, 204]).toContain(answer.status)
    else expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  test.each(RIGHTS)('requires permission %s', async right => {
    const { token } = await insertOfficer(server, [right])
    const { rights } = endpoint
    const needed = typeof rights === 'function' ? rights(world.samples[name]?.body) : rights
    const answer = await call(name, endpoint, token)
    if (needed && !needed.includes(right)) expectFailure(answer, 403)
    else expect([200, 204, 404]).toContain(answer.status)
  })
})

/** Endpoints whose sample names something that does not exist. */
const MISSING = ['getInboxFile', 'endSession', 'removePasskey']

test.each(all.filter(([name]) => !MISSING.includes(name)))('%s responds to a valid call', async (name, endpoint) => {
  const { id } = world.callerOf(endpoint)
  const token = await insertSession(server.db, id)
  const { status } = await call(name, endpoint, token)
  expect(status).toBe(endpoint.redirects ? 302 : endpoint.response === null ? 204 : 200)
})

test.each(all.filter(([, { params }]) => params && 'entries' in params))(
  '%s is 404 for an unknown id',
  async (name, endpoint) => {
    const { id } = world.callerOf(endpoint)
    const token = await insertSession(server.db, id)
    for (const unknown of ['2147483647', '2147483648', '99999999999999999999', '0']) {
      const params = Object.fromEntries(Object.keys(world.samples[name]?.params ?? {}).map(key => [key, unknown]))
      expectFailure(await server.request(endpoint, { params, token } as object), 'userName' in params ? 400 : 404)
    }
  },
)

describe('a cross-site request', () => {
  const send = (endpoint: Endpoint, name: string, headers: Record<string, string>) =>
    server.app.request(endpoint.path, {
      method: endpoint.method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(world.samples[name]?.body ?? {}),
    })
  const changing = all.filter(([, { method }]) => method !== 'GET')

  test.each(changing)(
    '%s is rejected without a session and without matching cookie and header',
    async (name, endpoint) => {
      const status = isProtected(endpoint) ? 401 : 403
      const refused: Record<string, string>[] = [
        {},
        { Cookie: 'XSRF-TOKEN=a' },
        { 'X-XSRF-TOKEN': 'a' },
        { Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'b' },
        { Cookie: 'XSRF-TOKEN=', 'X-XSRF-TOKEN': '' },
        { SessionToken: 'unknown' },
      ]
      for (const headers of refused) {
        const answer = await send(endpoint, name, headers)
        expect(answer.status).toBe(status)
        expect(v.is(failure, await answer.json())).toBe(true)
      }
    },
  )

  test('a valid session suffices, and so do matching cookie and header', async () => {
    const { reportClientError } = endpoints as { reportClientError: Endpoint }
    const token = await insertSession(server.db, world.participant.id)
    expect((await send(reportClientError, 'reportClientError', { SessionToken: token })).status).toBe(204)
    const pair = { Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a' }
    expect((await send(reportClientError, 'reportClientError', pair)).status).toBe(204)
  })

  test('any GET without the cookie sets it, readable by the app', async () => {
    const cookie = (await server.app.request('/api/config')).headers.get('Set-Cookie')
    expect(cookie).toMatch(/^XSRF-TOKEN=[0-9a-f]{32}; Path=\/; SameSite=Lax$/)
    const again = await server.app.request('/api/config', { headers: { Cookie: 'XSRF-TOKEN=mine' } })
    expect(again.headers.get('Set-Cookie')).toBeNull()
  })
})

test.each([
  ['GET', '/api/nothing'],
  ['GET', '/api/'],
  ['POST', '/api/course'],
  ['PATCH', '/api/session'],
  ['GET', '/api/course/17/nothing'],
  ['GET', '/API/course'],
  ['GET', '/api/inboxitem/file'],
])('%s %s is 404 in JSON', async (method, path) => {
  const answer = await server.app.request(path, { method })
  if (!path.startsWith('/api')) return expect(answer.status).toBe(404)
  expect(answer.status).toBe(404)
  expect(v.is(failure, await answer.json())).toBe(true)
})

test('an error is in the caller’s language', async () => {
  const messageIn = async (header: string) =>
    v.parse(
      failure,
      await (await server.app.request('/api/nothing', { headers: { 'Accept-Language': header } })).json(),
    ).message
  for (const header of ['de', '', 'fr', '*', 'english', 'en;q=0', 'en;q=0.4, *;q=0.5', 'fr, de;q=0.2, en;q=0.1'])
    expect(await messageIn(header), header).toBe('Das gibt es hier nicht.')
  for (const header of ['EN', 'en-GB,en;q=0.9', 'de;q=0.4, en;q=0.5', 'fr, en;q=0.1', 'de;q=0, *;q=0.5'])
    expect(await messageIn(header), header).toBe('There is nothing here.')
})

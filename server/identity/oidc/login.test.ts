import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getWebUser, register } from '#contract/endpoints/accounts.ts'
import { finishCompanyLogin, getCompanyLogin } from '#contract/endpoints/company.ts'
import { checkSession, login, type Session } from '#contract/endpoints/session.ts'
import { listOfficeCourses } from '#contract/office/office.ts'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import { type CompanyProvider, startCompanyProvider } from '#server/test/company-provider.ts'
import { createCompanyServer } from '#server/test/company-server.ts'
import { insertDivision, insertWebUser } from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { passwordHash } from '#server/test/password.ts'
import { createTestServer, type TestServer } from '#server/test/server.ts'
import { createOidcProvider, refusalReasonOf } from './provider-service.ts'

const PORTAL = 'http://127.0.0.1:4999'
const START = '/api/session/company/start'
const RETURN = '/api/session/company/return'

let provider: CompanyProvider
let server: TestServer
let division: number
beforeAll(async () => {
  provider = await startCompanyProvider(PORTAL + RETURN)
  server = await createCompanyServer(PORTAL, provider, {
    personnelNumber: 'employee_number',
    division: { claim: 'company', values: { Guss: 71, Pumpen: 72 } },
    rights: { claim: 'groups', values: { sport: ['programme', 'content'] } },
  })
  division = (await insertDivision(server.db, { id: 71 })).id
  await insertDivision(server.db, { id: 72 })
})
afterEach(() => {
  provider.twist = null
  provider.isDown = false
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

let last = 0
const person = (values: Record<string, unknown> = {}) => {
  const number = ++last
  return {
    sub: `sub-${number}`,
    employee_number: `10${number}`,
    given_name: 'Ada',
    family_name: 'Beispiel',
    email: `ada${number}@firma.example`,
    email_verified: true,
    company: 'Guss',
    ...values,
  }
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0] ?? '')
    .filter(cookie => !cookie.endsWith('='))

/** Follows the redirects at the provider. @returns the URL of the return */
async function followToPortal(from: string): Promise<string> {
  let url = from
  let cookies: string[] = []
  for (let hop = 0; hop < 10 && url.startsWith(provider.issuer); hop++) {
    const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookies.join('; ') } })
    cookies = [...new Map([...cookies, ...cookiesOf(answer)].map(one => [one.split('=')[0], one])).values()]
    url = new URL(answer.headers.get('Location') ?? '', url).href
  }
  return url
}
/** Follows the redirects to the provider and back. @returns the URL of the return and the cookies */
async function walk(next = '') {
  const start = await server.app.request(START + next)
  return { url: await followToPortal(start.headers.get('Location') ?? ''), cookies: cookiesOf(start).join('; ') }
}
async function comeBack({ url, cookies }: { url: string; cookies: string }) {
  const { pathname, search } = new URL(url, PORTAL)
  const back = await server.app.request(pathname + search, { headers: { Cookie: cookies } })
  expect(back.status).toBe(302)
  return back.headers.get('Location') ?? ''
}
const finish = async (cookies: string): Promise<Session> =>
  (
    await server.request(finishCompanyLogin, {
      body: {},
      language: 'en',
      headers: { Cookie: `XSRF-TOKEN=test; ${cookies}` },
    })
  ).body
async function logIn(who: CompanyProvider['person']): Promise<Session> {
  provider.person = who
  const way = await walk()
  await comeBack(way)
  return finish(way.cookies)
}

describe('the first login', () => {
  test('creates a verified account without a form', async () => {
    const who = person()
    const session = await logIn(who)
    expect(session).toMatchObject({
      status: 'Ok',
      givenName: 'Ada',
      userName: who.email,
      isByCompany: true,
      rights: [],
    })
    const { body } = await server.request(getWebUser, { token: session.id })
    expect(body).toMatchObject({ personnelNumber: who.employee_number, divisionId: division, employeeStatus: 1 })
    expect((await logIn(who)).webUserId).toBe(session.webUserId)
  })

  test('returns to the requesting page, on this portal only', async () => {
    provider.person = person()
    expect(await comeBack(await walk('?next=/courses/booked'))).toBe('/login?company=1&next=%2Fcourses%2Fbooked')
    for (const next of ['//elsewhere.example', 'https://elsewhere.example', '/\\elsewhere.example'])
      expect((await server.app.request(`${START}?next=${encodeURIComponent(next)}`)).status).toBe(400)
  })

  test('uses the account whose personnel number the department verified, and removes its password', async () => {
    const who = person()
    const { id } = await insertWebUser(server.db, {
      personnelNumber: who.employee_number,
      employeeStatus: 1,
      knownAt: new Date(),
      passwordHash: 'somebody’s',
    })
    expect((await logIn(who)).webUserId).toBe(id)
    const { hash, email } = await server.db.one<{ hash: string | null; email: string }>(
      sql`select password_hash as hash, email from web_users where id = ${id}`,
    )
    expect([hash, email]).toEqual([null, who.email])
  })

  test('takes over no account by a self-declared personnel number or an unverified e-mail address', async () => {
    const who = person({ email_verified: false })
    const declared = await insertWebUser(server.db, { personnelNumber: who.employee_number, employeeStatus: 1 })
    const sameAddress = await insertWebUser(server.db, { email: who.email })
    const session = await logIn(who)
    expect(session.status).toBe('Ok')
    expect([declared.id, sameAddress.id]).not.toContain(session.webUserId)
    expect(session.userName).toBe('')
  })

  test('uses the account of an e-mail address verified on both sides', async () => {
    const who = person()
    const { id } = await insertWebUser(server.db, { email: who.email })
    expect((await logIn(who)).webUserId).toBe(id)
  })
})

describe('an e-mail address that the company has reassigned to another person', () => {
  const see = async (token: string) => (await server.request(getToday, { token })).body.numberConflicts ?? []
  const insertPredecessor = async (email: string) => {
    const before = await insertOfficer(server, ['bookings'])
    await server.db.execute(sql`
      update web_users set email = ${email}, personnel_number = '900', family_name = 'Vorgänger', password_hash = ${passwordHash},
        known_at = clock_timestamp() where id = ${before.id}`)
    return before
  }

  test('opens no session, changes nothing, and is listed on Today until the office resolves it', async () => {
    const office = await openTestDesk(server, ['bookings', 'owner'])
    const who = person({ groups: ['sport'] })
    const before = await insertPredecessor(who.email)
    const row = () => server.db.one(sql`select to_jsonb(u) as row from web_users u where id = ${before.id}`)
    const unchanged = await row()
    const session = await logIn(who)
    expect(session).toMatchObject({ id: '', rights: [], status: 'Failed', message: expect.stringContaining('another') })
    expect(session.message).not.toContain('900')
    expect(await row()).toEqual(unchanged)
    expect((await server.request(checkSession, { query: {}, token: before.token })).body).toMatchObject({
      status: 'Ok',
      rights: ['bookings'],
    })
    expect(await see(office.token)).toMatchObject([
      { webUserId: before.id, email: who.email, personnelNumber: '900', otherNumber: who.employee_number },
    ])
    expect(
      (await server.request(getToday, { token: (await insertOfficer(server, ['programme'])).token })).body,
    ).not.toHaveProperty('numberConflicts')

    // The predecessor's address is removed: the newcomer gets a separate account, without the address while it can be undone.
    await office.act({ kind: 'change-person', webUserId: before.id, email: '' })
    expect(await see(office.token)).toEqual([])
    const own = await logIn(who)
    expect(own).toMatchObject({ status: 'Ok', userName: '' })
    expect(own.webUserId).not.toBe(before.id)
  })

  test('logs in the same person once the office has changed the personnel number', async () => {
    const office = await openTestDesk(server, ['bookings', 'owner'])
    const who = person()
    const before = await insertPredecessor(who.email)
    await logIn(who)
    await office.act({ kind: 'change-person', webUserId: before.id, personnelNumber: who.employee_number })
    expect(await see(office.token)).toEqual([])
    expect(await logIn(who)).toMatchObject({ status: 'Ok', webUserId: before.id })
  })

  test('is also rejected if only the HR list verifies the number', async () => {
    const office = await openTestDesk(server, ['bookings'])
    const who = person()
    await office.act({
      kind: 'save-eligible',
      rows: [{ personnelNumber: '901' }, { personnelNumber: who.employee_number }],
    })
    const { id } = await insertWebUser(server.db, { email: who.email, personnelNumber: '901' })
    expect((await logIn(who)).status).toBe('Failed')
    expect((await see(office.token)).map(({ webUserId }) => webUserId)).toContain(id)
    await server.db.execute(sql`delete from eligible_people`)
  })
})

describe('claims are evaluated at each login', () => {
  test('a changed division is stored', async () => {
    const who = person()
    await logIn(who)
    const session = await logIn({ ...who, company: 'Pumpen' })
    expect((await server.request(getWebUser, { token: session.id })).body.divisionId).toBe(72)
  })

  test('rights come only from the mapping and require a passkey', async () => {
    const who = person()
    const session = await logIn({
      ...who,
      groups: ['sport', 'owner', 'record', '[object Object]', 'function Object() { [native code] }'],
    })
    expect(session.rights).toEqual(['programme', 'content'])
    expect((await server.request(listOfficeCourses, { token: session.id })).status).toBe(200)
    server.context.config.isPasskeyRequired = true
    expect((await logIn({ ...who, groups: ['other'] })).rights).toEqual([])
    expect((await server.request(listOfficeCourses, { token: session.id })).status).toBe(403)
  })

  test('rights from claims expire, and rights granted by an owner remain', async () => {
    const who = person({ groups: ['sport'] })
    const { webUserId, id } = await logIn(who)
    await server.db.execute(sql`insert into office_rights (web_user_id, "right") values (${webUserId}, 'billing')`)
    const rightsAfter = async (hours: number) => {
      await server.db.execute(sql`update office_rights
        set granted_at = clock_timestamp() - ${hours} * interval '1 hour' where web_user_id = ${webUserId}`)
      const { body } = await server.request(checkSession, { query: { sessionToken: id } })
      return body.rights.toSorted()
    }
    expect(await rightsAfter(11.9)).toEqual(['billing', 'content', 'programme'])
    expect(await rightsAfter(12.1)).toEqual(['billing'])
    const { token } = { token: (await logIn({ ...who, groups: [] })).id }
    expect(token).not.toBe('')
    expect((await logIn({ ...who, groups: [] })).rights).toEqual(['billing'])
  })

  test('removal from the HR list ends sessions and prevents logins', async () => {
    const who = person()
    const session = await logIn(who)
    const office = await openTestDesk(server, ['bookings'])
    const save = (numbers: string[]) =>
      office.act({
        kind: 'save-eligible',
        rows: numbers.map(personnelNumber => ({ personnelNumber, divisionId: null, employeeStatus: null })),
      })
    await save([who.employee_number, '999'])
    expect((await server.request(getWebUser, { token: session.id })).status).toBe(200)
    await save(['999'])
    expect((await server.request(getWebUser, { token: session.id })).status).toBe(401)
    expect(await logIn(who)).toMatchObject({ status: 'Failed', message: expect.stringContaining('no longer on') })
    await save([])
    expect((await logIn(who)).status).toBe('Ok')
  })

  test('a login without a personnel number is rejected', async () => {
    expect(await logIn(person({ employee_number: undefined }))).toMatchObject({ status: 'Failed', webUserId: 0 })
  })
})

describe('rejected logins', () => {
  const refusedBy = async (twist: CompanyProvider['twist']) => {
    provider.twist = twist
    const session = await logIn(person())
    expect(session).toMatchObject({ status: 'Failed', id: '' })
    return session.message
  }
  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, NonNullable<CompanyProvider['twist']>]>([
    ['a token for another audience', claims => ({ ...claims, aud: 'other' })],
    ['a token of another issuer', claims => ({ ...claims, iss: 'https://evil.example' })],
    ['an expired token', claims => ({ ...claims, exp: now() - 120, iat: now() - 600 })],
    ['a token from the future', claims => ({ ...claims, nbf: now() + 600 })],
    ['another nonce', claims => ({ ...claims, nonce: 'other' })],
  ])('%s', async (_, twist) => {
    expect(await refusedBy(twist)).toMatch(/did not work/)
  })

  test('a clock skew of half a minute is tolerated', async () => {
    provider.twist = claims => ({ ...claims, iat: now() + 30, nbf: now() + 30 })
    expect((await logIn(person())).status).toBe('Ok')
  })

  test('a reused code, and a login started in another browser', async () => {
    provider.person = person()
    const way = await walk()
    await comeBack(way)
    expect((await finish(way.cookies)).status).toBe('Ok')
    expect(await comeBack(way)).toBe('/login?company=1')
    expect((await finish(way.cookies)).message).toMatch(/expired/)
    const stolen = await walk()
    await comeBack({ url: stolen.url, cookies: 'CompanyLogin=another' })
    expect((await finish('CompanyLogin=another')).status).toBe('Failed')
    const other = await walk()
    await comeBack({ url: stolen.url, cookies: other.cookies })
    expect((await finish(other.cookies)).status).toBe('Failed')
  })

  test('a login cancelled at the provider', async () => {
    expect(await logIn(null)).toMatchObject({ status: 'Failed', message: expect.stringContaining('did not work') })
  })
})

test('an issuer that the provider does not call itself is named in the log', async () => {
  const provider = createServer((_, response) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ issuer: 'https://login.example.com' })),
  ).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`
  const login = { ...(server.context.config.companyLogin as never as object), issuer } as never
  await expect(createOidcProvider(login, 'http://127.0.0.1/return').start()).rejects.toThrow(
    `OIDC_ISSUER is ${issuer}, but the provider calls itself https://login.example.com`,
  )
  provider.close()
})

test('a provider that does not decode the credentials of the portal accepts those of letters, digits, hyphens and dots', async () => {
  const sent: (string | undefined)[] = []
  const other = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`
    if (request.url === '/token') sent.push(request.headers.authorization)
    response.writeHead(request.url === '/token' ? 401 : 200, { 'Content-Type': 'application/json' })
    response.end(
      JSON.stringify(
        request.url === '/token'
          ? { error: 'invalid_client' }
          : {
              issuer,
              authorization_endpoint: `${issuer}/authorize`,
              token_endpoint: `${issuer}/token`,
              jwks_uri: issuer,
            },
      ),
    )
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const issuer = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const credentialsOf = async (clientId: string, clientSecret: string) => {
    const client = createOidcProvider({ issuer, clientId, clientSecret, mapping: { scope: 'openid' } } as never, PORTAL)
    const way = await client.start()
    const address = new URL(`${PORTAL}/?code=a&state=${way.state}`)
    const error = await client.read(address, way).catch(error => error)
    expect(refusalReasonOf(error)).toBe('invalid_client')
    return Buffer.from(sent.at(-1)?.replace('Basic ', '') ?? '', 'base64').toString()
  }
  expect(await credentialsOf('sport-portal', 'a-secret_of.the*portal')).toBe('sport-portal:a-secret_of.the*portal')
  // The others have to be encoded (RFC 6749, section 2.3.1).
  expect(await credentialsOf('sport portal', '+:%/ü')).toBe('sport+portal:%2B%3A%25%2F%C3%BC')
  other.close()
})

test('the reason of a login with a wrong secret is that of the provider', async () => {
  provider.person = person()
  const { companyLogin } = server.context.config
  const wrong = createOidcProvider({ ...companyLogin, clientSecret: 'wrong' } as never, PORTAL + RETURN)
  const way = await wrong.start()
  const address = new URL(await followToPortal(way.url.href))
  const error = await wrong.read(address, way).catch(error => error)
  expect(refusalReasonOf(error)).toBe('invalid_client')
})

test('if the provider is down, the portal says so and passwords still work', async () => {
  const fresh = await createTestServer({
    ...server.context.config,
    companyLogin: { ...(server.context.config.companyLogin as never as object), issuer: 'http://127.0.0.1:9' } as never,
  })
  try {
    const start = await fresh.app.request(START)
    expect(start.headers.get('Location')).toBe('/login?company=1')
    const cookies = cookiesOf(start).join('; ')
    const answer = await fresh.request(finishCompanyLogin, {
      body: {},
      language: 'en',
      headers: { Cookie: `XSRF-TOKEN=test; ${cookies}` },
    })
    expect(answer.body.message).toMatch(/not answering/)
    const password = await fresh.request(login, { body: { userName: 'who@demo.example', password: 'Something-1' } })
    expect(password.body.status).toBe('WrongPWorUser')
  } finally {
    await fresh.close()
  }
})

test('with the company login, employees cannot use the registration form, but others can', async () => {
  expect((await server.request(getCompanyLogin, { language: 'en' })).body).toMatchObject({ isOn: true })
  const form = {
    email: 'form@demo.example',
    password: 'Sentinel-Pass-77',
    confirmPassword: 'Sentinel-Pass-77',
    formOfAddress: 'Frau' as const,
    givenName: 'Erika',
    familyName: 'Muster',
    street: 'Weg 1',
    zip: '30159',
    city: 'Hannover',
    yearOfBirth: 1980,
    divisionId: division,
    personnelNumber: '4711',
    department: 'A',
    location: 'B',
    companyAddress: 'C',
  } as const
  const answer = await server.request(register, { body: { ...form, employeeStatus: 1 }, language: 'en' })
  expect(answer.body).toMatchObject({ status: 'Failed', message: expect.stringContaining('company account') })
  const external = await server.request(register, { body: { ...form, employeeStatus: 2, billingType: 3 } })
  expect(external.body.status).toBe('Ok')
})

test('a login that changes data is recorded in the audit log', async () => {
  const { webUserId } = await logIn(person())
  const { lines } = await server.db.one<{ lines: number }>(sql`
    select count(*) as lines from office_record r join office_record_people p on p.record_number = r.number
    where p.web_user_id = ${webUserId} and r.kind = 'company-login'`)
  expect(lines).toBe(1)
})

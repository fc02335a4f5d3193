import { expect, test, vi } from 'vitest'
import { listRecord } from '#contract/office/office.ts'
import { listEligible } from '#contract/office/people.ts'
import { getToday } from '#contract/office/today.ts'
import { countHrListRemovals } from '#server/office/frame/directory-repository.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken } from '#server/platform/http/token.ts'
import { registry } from '#server/platform/observability/registry.ts'
import { dateFromNow, insertDivision, insertSession, insertWebUser } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const { server, ...office } = await openTestOffice(['owner', 'bookings'], { isPasskeyRequired: false })
const token = await makeToken(['people'])

async function makeToken(scopes: ('people' | 'lists' | 'programme')[]) {
  const token = createToken()
  await office.act({ kind: 'create-token', name: 'Verzeichnis', token, scopes, expiresOn: dateFromNow(30) })
  return token
}
type Json = Record<string, unknown>
async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await server.app.request(`/api/scim/v2${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json: Json & { Resources: Json[] } = text ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, body: json }
}
let last = 0
const user = (values: Json = {}, enterprise: Json = {}) => {
  last += 1
  return {
    schemas: [USER, ENTERPRISE],
    userName: `person${last}@firma.example`,
    externalId: `ext-${last}`,
    active: true,
    name: { givenName: 'Ada', familyName: 'Beispiel' },
    emails: [{ value: `person${last}@firma.example`, type: 'work' }],
    [ENTERPRISE]: { employeeNumber: `007${last}`, ...enterprise },
    ...values,
  }
}
const numbers = async () => {
  const { body } = await server.request(listEligible, { token: office.token })
  return body.items.map(({ personnelNumber }) => personnelNumber)
}
const patch = (...Operations: Json[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

test('a provisioned person is on the HR list, and only required attributes are stored', async () => {
  const division = await insertDivision(server.db, { name: 'Pumpenbau' })
  const sent = user({ userType: 'Apprentice' }, { division: 'pumpenbau' })
  const made = await send('POST', '/Users', sent)
  expect(made.status).toBe(201)
  expect(made.headers.get('Content-Type')).toBe('application/scim+json')
  expect(made.headers.get('Location')).toBe(`${server.context.config.publicUrl}/api/scim/v2/Users/${made.body.id}`)
  expect(made.body).toMatchObject({
    schemas: [USER, ENTERPRISE],
    userName: sent.userName,
    externalId: sent.externalId,
    active: true,
    userType: 'Apprentice',
    [ENTERPRISE]: { ...sent[ENTERPRISE], division: 'Pumpenbau' },
    meta: { resourceType: 'User' },
  })
  expect(made.body).not.toHaveProperty('name')
  const { body } = await server.request(listEligible, { token: office.token })
  expect(body.items).toContainEqual({
    personnelNumber: sent[ENTERPRISE].employeeNumber,
    divisionId: division.id,
    employeeStatus: 7,
    webUserId: null,
  })
  expect((await send('GET', `/Users/${made.body.id}`)).body).toEqual(made.body)
})

test('a deprovisioned person is removed from the HR list, unverified and logged out, which is audited', async () => {
  const sent = user()
  const number = sent[ENTERPRISE].employeeNumber
  const { body: made } = await send('POST', '/Users', sent)
  const person = await insertWebUser(server.db, { employeeStatus: 1, personnelNumber: number, knownAt: new Date() })
  const session = await insertSession(server.db, person.id)
  await server.db.execute(sql`update sessions set is_by_company = true where web_user_id = ${person.id}`)
  await server.db.execute(sql`
    insert into company_accounts (issuer, subject, web_user_id) values ('https://login.example', 's1', ${person.id})`)
  // In the notation of Entra ID.
  const left = await send('PATCH', `/Users/${made.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
  expect(left).toMatchObject({ status: 200, body: { active: false } })
  expect(await numbers()).not.toContain(number)
  const {
    known,
    left: leftAt,
    sessions,
  } = await server.db.one<{ known: Date | null; left: Date; sessions: number }>(sql`
    select u.known_at as known, c.left_at as left, (select count(*) from sessions s where s.web_user_id = u.id) as sessions
    from web_users u join company_accounts c on c.web_user_id = u.id where u.id = ${person.id}`)
  expect({ known, isOut: leftAt !== null, sessions }).toEqual({ known: null, isOut: true, sessions: 0 })
  expect(session).not.toBe('')
  const { body } = await server.request(listRecord, { token: office.token, query: { person: String(person.id) } })
  expect(body.items[0]).toMatchObject({ kind: 'scim-change', actorId: null })
  expect(JSON.stringify(body.items)).not.toMatch(/firma\.example|0071|Beispiel/)

  const back = await send('PATCH', `/Users/${made.id}`, patch({ op: 'replace', value: { active: true } }))
  expect(back.body.active).toBe(true)
  expect(await numbers()).toContain(number)
  expect((await send('DELETE', `/Users/${made.id}`)).status).toBe(204)
  expect(await numbers()).not.toContain(number)
  expect((await send('GET', `/Users/${made.id}`)).status).toBe(404)
})

test('replacing a person updates the personnel number, and an identical replacement changes nothing', async () => {
  const sent = user()
  const { body: made } = await send('POST', '/Users', sent)
  const again = await send('PUT', `/Users/${made.id}`, sent)
  expect(again.body.meta).toEqual(made.meta)
  await send('PUT', `/Users/${made.id}`, { ...sent, [ENTERPRISE]: { employeeNumber: 'N-1' } })
  const list = await numbers()
  expect(list).toContain('N-1')
  expect(list).not.toContain(sent[ENTERPRISE].employeeNumber)
  const removed = await send('PATCH', `/Users/${made.id}`, patch({ op: 'remove', path: 'externalId' }))
  expect(removed.body).not.toHaveProperty('externalId')
  const byUrn = patch({ op: 'add', path: `${ENTERPRISE}:employeeNumber`, value: 'N-2' })
  expect((await send('PATCH', `/Users/${made.id}`, byUrn)).body[ENTERPRISE]).toEqual({ employeeNumber: 'N-2' })
})

test('an uploaded HR list does not remove people provisioned by SCIM', async () => {
  const sent = user()
  await send('POST', '/Users', sent)
  await office.act({ kind: 'save-eligible', rows: [{ personnelNumber: 'BY-HAND' }] })
  expect(await numbers()).toEqual(expect.arrayContaining(['BY-HAND', sent[ENTERPRISE].employeeNumber]))
  await office.act({ kind: 'save-eligible', rows: [] })
  expect(await numbers()).not.toContain('BY-HAND')
})

test('people are found by name, and lists are paginated', async () => {
  const sent = user({ userName: 'With"Quote@firma.example' })
  const { body: made } = await send('POST', '/Users', sent)
  const find = async (filter: string) => (await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body
  for (const filter of [
    'userName eq "with\\"quote@FIRMA.example"',
    `externalId Eq "${sent.externalId}"`,
    `id eq "${made.id}"`,
    `${ENTERPRISE}:employeeNumber eq "${sent[ENTERPRISE].employeeNumber}"`,
  ])
    expect(await find(filter)).toMatchObject({ totalResults: 1, Resources: [{ id: made.id }] })
  expect(await find('userName eq "nobody"')).toMatchObject({ totalResults: 0, Resources: [] })
  const all = (await send('GET', '/Users')).body
  const pages = await Promise.all(
    all.Resources.map((_, index) => send('GET', `/Users?startIndex=${index + 1}&count=1`)),
  )
  expect(pages.map(({ body }) => body.Resources[0])).toEqual(all.Resources)
  expect((await send('GET', '/Users?count=0')).body).toMatchObject({ totalResults: all.totalResults, Resources: [] })
})

test.each([
  ['POST', '/Users', {}, 400, 'invalidValue'],
  ['POST', '/Users', '[', 400, 'invalidSyntax'],
  ['POST', '/Users', user({}, { employeeNumber: '' }), 400, 'invalidValue'],
  ['POST', '/Users', user({ userType: 'Guest' }), 400, 'invalidValue'],
  ['POST', '/Users', user({}, { division: 'nowhere' }), 400, 'invalidValue'],
  ['POST', '/Users', user({ active: 'perhaps' }), 400, 'invalidValue'],
  ['POST', '/Users', user({ constructor: 'x' }), 400, 'invalidPath'],
  ['POST', '/Users', 'x'.repeat(70_000), 413, undefined],
  ['GET', '/Users?filter=userName%20co%20%22a%22', undefined, 400, 'invalidFilter'],
  ['GET', '/Users?filter=userName%20eq%20%22%00%22', undefined, 400, 'invalidFilter'],
  ['GET', '/Users?filter=title%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
  ['GET', '/Users/1', undefined, 404, undefined],
  ['GET', `/Users/${crypto.randomUUID()}`, undefined, 404, undefined],
  ['PATCH', `/Users/${crypto.randomUUID()}`, patch({ op: 'replace', path: 'active', value: false }), 404, undefined],
  ['GET', '/Groups', undefined, 404, undefined],
  ['POST', '/Bulk', {}, 404, undefined],
])('%s %s is rejected with a SCIM error (%#)', async (method, path, body, status, scimType) => {
  const answer = await send(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('Content-Type')).toBe('application/scim+json')
  expect(answer.body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
  })
  expect(answer.body.detail).toEqual(expect.any(String))
})

test('two people never share a user name or number, in whatever order they are created', async () => {
  const sent = user()
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', '/Users', sent)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  const sameNumber = user({}, { employeeNumber: sent[ENTERPRISE].employeeNumber })
  expect((await send('POST', '/Users', sameNumber)).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  expect((await numbers()).filter(number => number === sent[ENTERPRISE].employeeNumber)).toHaveLength(1)
})

test('only service tokens with the people scope have access', async () => {
  const calls = [
    ['GET', '/ServiceProviderConfig'],
    ['GET', '/Schemas'],
    ['GET', '/ResourceTypes'],
    ['GET', '/Users'],
    ['GET', `/Users/${crypto.randomUUID()}`],
    ['POST', '/Users'],
    ['PUT', `/Users/${crypto.randomUUID()}`],
    ['PATCH', `/Users/${crypto.randomUUID()}`],
    ['DELETE', `/Users/${crypto.randomUUID()}`],
  ] as const
  const other = await makeToken(['lists', 'programme'])
  for (const [method, path] of calls) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : user()
    const as = async (sent: Record<string, string>) => {
      const { status, headers } = await send(method, path, body, sent)
      return [status, headers.get('WWW-Authenticate')]
    }
    // Without credentials, there is no error code (RFC 6750 §3.1).
    expect(await as({ Authorization: '' }), path).toEqual([401, 'Bearer'])
    expect(await as({ Authorization: '', SessionToken: office.token }), path).toEqual([401, 'Bearer'])
    const unknown = [401, 'Bearer error="invalid_token"']
    expect(await as({ Authorization: `Bearer ${createToken()}` }), path).toEqual(unknown)
    expect(await as({ Authorization: 'Bearer short' }), path).toEqual(unknown)
    expect((await as({ Authorization: `Bearer ${other}` }))[0], path).toBe(403)
  }
})

test('the service describes its capabilities and stored attributes', async () => {
  const config = await send('GET', '/ServiceProviderConfig')
  expect(config.body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true },
    bulk: { supported: false },
  })
  const schemas = await send('GET', '/Schemas')
  expect(schemas.body.Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE])
  expect((await send('GET', `/Schemas/${ENTERPRISE}`)).body.id).toBe(ENTERPRISE)
  expect((await send('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: USER })
})

test('a directory can remove at most half of the people per day, and more raises an alarm', async () => {
  const lines: Record<string, unknown>[] = []
  const { log } = server.context
  const warn = vi.spyOn(log, 'warn').mockImplementation((line: unknown) => void lines.push({ ...Object(line) }))
  await server.db.execute(sql`delete from scim_users`)
  const people: Json[] = []
  for (let count = 0; count < 40; count += 1) people.push((await send('POST', '/Users', user())).body)
  const removed = (await countHrListRemovals(server.db)).removed
  const remove = (person: Json, index: number) =>
    index % 2
      ? send('DELETE', `/Users/${person.id}`)
      : send('PATCH', `/Users/${person.id}`, patch({ op: 'replace', path: 'active', value: false }))
  const statuses: number[] = []
  for (const [index, person] of people.entries()) statuses.push((await remove(person, index)).status)
  const done = statuses.filter(status => status < 300).length
  expect(done + removed).toBe(Math.floor((40 + removed) / 2))
  expect(statuses.slice(done)).toEqual(Array(40 - done).fill(429))
  expect(lines).toContainEqual(expect.objectContaining({ security: 'directory.removals-refused' }))
  expect(await registry.metrics()).toMatch(
    new RegExp(`portal_security_events_total\\{event="directory.removals-refused"\\} ${40 - done}`),
  )
  const { body: today } = await server.request(getToday, { token: office.token })
  expect(today.directoryRemovals).toEqual({ active: 40 - done, removed: done + removed })
  // Changing the number would also end the access of the old one, and is therefore limited, too.
  const other = { ...user(), [ENTERPRISE]: { employeeNumber: 'another' } }
  const refused = await send('PUT', `/Users/${people.at(-1)?.id}`, other)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600'])
  // New and renamed people are still accepted.
  expect((await send('POST', '/Users', user())).status).toBe(201)
  warn.mockRestore()
})

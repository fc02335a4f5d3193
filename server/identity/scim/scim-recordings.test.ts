import { expect, test } from 'vitest'
import { openTestProgram } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const server = await openTestServer()
const { headers: authorization } = await openTestProgram(server, ['people'])

type Json = Record<string, unknown>
type Step = [request: string, body: Json | null, status: number, answer: Json]

/** Sends the calls in their order; `{id}` is that of the user created last. */
async function replay(steps: Step[], type: string): Promise<void> {
  let id = ''
  for (const [request, sent, status, expected] of steps) {
    const [method = '', path = ''] = request.split(' ')
    const answer = await server.app.request(`/api/scim/v2${path.replace('{id}', id)}`, {
      method,
      headers: { ...authorization, 'Content-Type': type, Accept: type },
      ...(sent && { body: JSON.stringify(sent) }),
    })
    const text = await answer.text()
    const body = text === '' ? {} : JSON.parse(text)
    if (status === 201) id = body.id
    expect([request, answer.status]).toEqual([request, status])
    expect(answer.headers.get('Content-Type') ?? 'application/scim+json').toContain('application/scim+json')
    expect(body).toMatchObject(expected)
  }
}
const list = (totalResults: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults,
})

/** The calls of Okta's SCIM 2.0 SPEC test, with the number that its profile mapping adds. */
test('Okta’s SPEC test', async () => {
  const okta = {
    schemas: [USER, ENTERPRISE],
    userName: 'abraham.lincoln@firma.example',
    name: { givenName: 'Abraham', familyName: 'Lincoln' },
    emails: [{ primary: true, value: 'abraham.lincoln@firma.example', type: 'work' }],
    displayName: 'Abraham Lincoln',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
    [ENTERPRISE]: { employeeNumber: '16' },
  }
  const own = { userName: okta.userName, active: true }
  await replay(
    [
      ['GET /ServiceProviderConfig', null, 200, { patch: { supported: true } }],
      ['GET /Users?count=1&startIndex=1', null, 200, list(0)],
      ['GET /Users?filter=userName%20eq%20%22invalid%40firma.example%22', null, 200, list(0)],
      ['GET /Users/010101001010101011001010101011', null, 404, { status: '404' }],
      ['POST /Users', okta, 201, own],
      ['GET /Users/{id}', null, 200, own],
      [
        'GET /Users?filter=userName%20eq%20%22abraham.lincoln%40firma.example%22&startIndex=1&count=100',
        null,
        200,
        list(1),
      ],
      ['POST /Users', okta, 409, { scimType: 'uniqueness' }],
      ['PUT /Users/{id}', { ...okta, active: false }, 200, { active: false }],
      ['PATCH /Users/{id}', { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: true } }] }, 200, own],
      [
        'PATCH /Users/{id}',
        { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] },
        200,
        { active: false },
      ],
    ],
    'application/scim+json; charset=utf-8',
  )
})

/** The calls of Entra ID's provisioning service: values as text, paths in an own notation, attributes chosen. */
test('Entra ID’s provisioning', async () => {
  const guid = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'
  const entra = {
    schemas: [USER, ENTERPRISE],
    externalId: guid,
    userName: 'Test_User_ab6490ee@firma.example',
    active: true,
    addresses: null,
    displayName: 'lennay',
    emails: [{ type: 'work', value: 'lennay@firma.example', primary: true }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    [ENTERPRISE]: { employeeNumber: '4711', department: 'Guss' },
  }
  const change = (...Operations: Json[]) => ({ schemas: [PATCH], Operations })
  const number = `${ENTERPRISE}:employeeNumber`
  await replay(
    [
      [`GET /Users?filter=externalId+eq+%22${guid}%22`, null, 200, list(0)],
      ['POST /Users', entra, 201, { externalId: guid, active: true }],
      ['GET /Users?filter=userName+eq+%22test_user_ab6490ee%40firma.example%22', null, 200, list(1)],
      ['GET /Users/{id}?attributes=userName%2Cactive', null, 200, { userName: entra.userName, active: true }],
      ['PATCH /Users/{id}', change({ op: 'Replace', path: 'displayName', value: 'other' }), 200, { active: true }],
      [
        'PATCH /Users/{id}',
        change({ op: 'Replace', path: number, value: '4712' }),
        200,
        { [ENTERPRISE]: { employeeNumber: '4712' } },
      ],
      ['PATCH /Users/{id}', change({ op: 'Replace', path: 'active', value: 'False' }), 200, { active: false }],
      ['PATCH /Users/{id}', change({ op: 'Add', path: 'active', value: 'True' }), 200, { active: true }],
      ['DELETE /Users/{id}', null, 204, {}],
      ['GET /Users/{id}', null, 404, { status: '404' }],
      ['DELETE /Users/{id}', null, 404, { status: '404' }],
    ],
    'application/scim+json; charset=utf-8',
  )
})

test.each<[string, string[]]>([
  ['attributes=userName,active', ['active', 'id', 'schemas', 'userName']],
  ['attributes=externalid', ['externalId', 'id', 'schemas']],
  [`attributes=${ENTERPRISE}:employeeNumber`, [ENTERPRISE, 'id', 'schemas']],
  ['excludedAttributes=id,schemas,meta,active,externalId', [ENTERPRISE, 'id', 'schemas', 'userName'].sort()],
])('a response contains the requested attributes and always its id: %s', async (query, names) => {
  const create = (userName: string) =>
    server.app.request('/api/scim/v2/Users', {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: [USER],
        userName,
        externalId: userName,
        [ENTERPRISE]: { employeeNumber: userName },
      }),
    })
  const { id } = (await (await create(`chosen-${names.join('').length}`)).json()) as { id: string }
  for (const path of [`/Users/${id}?${query}`, `/Users?${query}`]) {
    const answer = await server.app.request(`/api/scim/v2${path}`, { headers: authorization })
    const body = (await answer.json()) as Json & { Resources?: Json[] }
    for (const person of body.Resources ?? [body]) expect(Object.keys(person).sort()).toEqual([...names].sort())
  }
})

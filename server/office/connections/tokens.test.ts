import { expect, test } from 'vitest'
import { listTokens } from '#contract/office/connections.ts'
import { exportProgramme } from '#contract/office/content.ts'
import { listOfficeCourses, listOwnReads, performAct } from '#contract/office/office.ts'
import { getOfficeList, listEligible } from '#contract/office/people.ts'
import type { Scope } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken } from '#server/platform/http/token.ts'
import { dateFromNow, insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer, openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['owner'], { isPasskeyRequired: false })

async function makeToken(scopes: Scope[], expiresOn = dateFromNow(30)) {
  const token = createToken()
  const answer = await office.actAsPreviewed({ kind: 'create-token', name: 'Lohn', token, scopes, expiresOn })
  return { token, answer, headers: { Authorization: `Bearer ${token}` } }
}
const list = { params: { file: 'bookings.csv' } }

test('a token grants exactly what its scopes permit', async () => {
  const { headers } = await makeToken(['lists'])
  expect((await server.request(getOfficeList, { ...list, headers })).status).toBe(200)
  expect((await server.request(exportProgramme, { headers })).status).toBe(403)
  expect((await server.request(listOfficeCourses, { headers })).status).toBe(403)
  // Calls without a scope require a person with a right.
  for (const endpoint of [listEligible, listTokens])
    expect((await server.request(endpoint, { headers })).status).toBe(403)
  for (const scope of ['lists', 'programme-read', 'people'] as const) {
    const act = { actId: crypto.randomUUID(), kind: 'cancel-course', courseId: 1 } as const
    const { headers } = await makeToken([scope])
    expect((await server.request(performAct, { headers, body: act })).status).toBe(403)
  }
})

test('errors follow RFC 6750', async () => {
  const { headers } = await makeToken(['lists'])
  const outside = await server.request(exportProgramme, { headers, language: 'en' })
  expect(outside).toMatchObject({
    status: 403,
    body: { status: 'Failed', code: 'insufficient_scope', message: expect.stringContaining('token') },
  })
  expect(outside.headers.get('WWW-Authenticate')).toBe(
    'Bearer error="insufficient_scope", scope="programme-read programme"',
  )
  const personal = await server.request(listEligible, { headers })
  expect(personal.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"')
  const unknown = await server.request(getOfficeList, {
    ...list,
    headers: { Authorization: `Bearer ${createToken()}` },
  })
  expect([unknown.status, unknown.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  const malformed = await server.request(getOfficeList, { ...list, headers: { Authorization: 'Bearer abc.def' } })
  expect([malformed.status, malformed.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  const missing = await server.request(getOfficeList, list)
  expect([missing.status, missing.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  // API clients cannot call it.
  expect((await server.request(listTokens, {})).headers.get('WWW-Authenticate')).toBe(null)
  // Without a scope, the session of a person authorizes the call.
  expect((await server.request(listTokens, { headers, token: office.token })).status).toBe(200)
})

test('a token is random and valid for at most a year', async () => {
  const make = (token: string, expiresOn = dateFromNow(30)) =>
    office.send({ kind: 'create-token', name: 'Lohn', token, scopes: ['lists'], expiresOn })
  for (const token of ['a'.repeat(40), 'ab'.repeat(25), `${createToken().slice(0, 8)}${'0'.repeat(40)}`])
    expect(await make(token)).toMatchObject({ status: 400, body: { message: expect.stringContaining('token') } })
  expect(await make(createToken(), dateFromNow(370))).toMatchObject({ status: 200, body: { status: 'Failed' } })
  expect(await make(createToken(), '2199-12-31')).toMatchObject({ body: { status: 'Failed' } })
  expect(await make(createToken(), dateFromNow(364))).toMatchObject({ body: { status: 'Ok' } })
})

test('a token is shown once, and the portal stores only its hash', async () => {
  const { token, answer } = await makeToken(['programme-read'])
  expect(answer.status).toBe('Ok')
  const { body } = await server.request(listTokens, { token: office.token })
  expect(body.items.at(-1)).toMatchObject({
    name: 'Lohn',
    scopes: ['programme-read'],
    isWorking: true,
    lastUsedAt: null,
  })
  const tables = await server.db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public'`)
  for (const { name } of tables) {
    const { found } = await server.db.one<{ found: number }>(sql`
      select count(*) as found from ${sql.raw(name)} t where position(${token} in t::text) > 0`)
    expect(found, name).toBe(0)
  }
})

test('a token is rejected when expired, revoked or unknown', async () => {
  const { headers, answer } = await makeToken(['programme-read'])
  expect((await server.request(listOfficeCourses, { headers })).status).toBe(200)
  await office.actAsPreviewed({ kind: 'revoke-token', tokenId: Number(answer.result.tokenId) })
  expect((await server.request(listOfficeCourses, { headers })).status).toBe(401)
  const old = await makeToken(['programme-read'])
  await server.db.execute(
    sql`update service_tokens set expires_at = clock_timestamp() where id = ${old.answer.result.tokenId}`,
  )
  expect((await server.request(listOfficeCourses, { headers: old.headers })).status).toBe(401)
  expect(
    (await server.request(listOfficeCourses, { headers: { Authorization: `Bearer ${createToken()}` } })).status,
  ).toBe(401)
  const over = { name: 'x', token: createToken(), expiresOn: dateFromNow(-2) }
  expect((await office.act({ kind: 'create-token', scopes: ['lists'], ...over })).status).toBe('Failed')
})

test('people can see that an API client read their data', async () => {
  const person = await insertUserWithSession(server.db)
  await insertBooking(server.db, (await insertCourse(server.db)).id, person.id)
  const { headers } = await makeToken(['lists'])
  await server.request(getOfficeList, { ...list, headers })
  const { body } = await server.request(listOwnReads, { token: person.token })
  expect(body.items[0]).toMatchObject({ by: 'Lohn', call: 'getOfficeList' })
})

test('costly calls are limited per person and per token', async () => {
  const { headers } = await makeToken(['lists'])
  const officers = [await insertOfficer(server, ['bookings']), await insertOfficer(server, ['bookings'])]
  for (const caller of [{ headers }, ...officers.map(({ token }) => ({ token }))]) {
    const call = (language: 'de' | 'en' = 'de') => server.request(getOfficeList, { ...list, ...caller, language })
    for (let count = 0; count < 30; count += 1) expect((await call()).status).toBe(200)
    const refused = await call()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(refused.body).toMatchObject({ message: expect.stringContaining('Zu viele Anfragen') })
    expect((await call('en')).body).toMatchObject({ message: expect.stringContaining('Too many requests') })
  }
})

import { describe, expect, test } from 'vitest'
import { getWebUser } from '#contract/endpoints/accounts.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  showPasskey,
  startPasskey,
  startPasskeyLogin,
} from '#contract/endpoints/passkeys.ts'
import { listOfficeCourses, listOfficePeople } from '#contract/office/office.ts'
import { describePasskeys } from '#server/main.ts'
import { sql } from '#server/platform/db/client.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { createAuthenticator } from '#server/test/authenticator.ts'
import { insertSession, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer({ isPasskeyRequired: true })

type Person = { id: number; token: string }
/** Inserts a passkey link as the mail sender does. */
async function mailLink(webUserId: number): Promise<string> {
  const token = `link-${webUserId}-${Math.random()}`
  await server.db.execute(sql`
    insert into account_tokens (token_hash, web_user_id, purpose, expires_at)
    values (${hashToken(token)}, ${webUserId}, 'passkey', clock_timestamp() + interval '1 day')`)
  return token
}
const start = (person: Person, token?: string) =>
  server.request(startPasskey, { token: person.token, body: { ...(token && { token }) } })
async function register(person: Person, token?: string, passkey = createAuthenticator()) {
  const { body } = await start(person, token)
  const made = passkey.create({ challenge: body.challenge })
  const added = await server.request(addPasskey, { token: person.token, body: { ...made, ...(token && { token }) } })
  return { passkey, ...added }
}
const challenge = async (token?: string) =>
  (await server.request(startPasskeyLogin, { body: {}, ...(token && { token }) })).body.challenge
async function show(passkey: ReturnType<typeof createAuthenticator>, token?: string) {
  const body = passkey.get({ challenge: await challenge(token) })
  return (await server.request(showPasskey, { body, ...(token && { token }) })).body
}
const enter = (token: string, headers = {}) => server.request(listOfficeCourses, { token, headers })
const agoMinutes = (token: string, minutes: number) =>
  server.db.execute(sql`
    update sessions set confirmed_at = clock_timestamp() - ${minutes} * interval '1 minute'
    where token_hash = ${hashToken(token)}`)

describe('the office UI', () => {
  test('requires a passkey, and the first one requires the e-mailed link', async () => {
    const officer = await insertOfficer(server, ['programme'])
    expect(await enter(officer.token)).toMatchObject({ status: 403, body: { status: 'PasskeyRequired' } })
    expect(await start(officer)).toMatchObject({ status: 403, body: { status: 'Failed' } })
    expect(await start(officer, 'guessed')).toMatchObject({ status: 403 })

    const link = await mailLink(officer.id)
    const { passkey, body } = await register(officer, link)
    expect(body).toMatchObject({ status: 'Ok' })
    expect((await enter(officer.token)).status).toBe(200)
    // The link works once; later, the existing passkey is required.
    expect(await start({ ...officer, token: await insertSession(server.db, officer.id) }, link)).toMatchObject({
      status: 403,
      body: { status: 'PasskeyRequired' },
    })
    // Another session requires its own confirmation.
    const other = await insertSession(server.db, officer.id)
    expect((await enter(other)).status).toBe(403)
    expect(await show(passkey, other)).toMatchObject({ status: 'Ok', id: other, rights: ['programme'] })
    expect((await enter(other)).status).toBe(200)
    // A confirmed session adds a second passkey without a link.
    expect((await register({ ...officer, token: other })).body).toMatchObject({ status: 'Ok' })
  })

  test('rejects an expired link and the link of another person', async () => {
    const [officer, other] = [await insertOfficer(server, ['programme']), await insertOfficer(server, ['programme'])]
    expect(await start(officer, await mailLink(other.id))).toMatchObject({ status: 403 })
    const old = await mailLink(officer.id)
    await server.db.execute(sql`
      update account_tokens set expires_at = clock_timestamp() - interval '1 second' where token_hash = ${hashToken(old)}`)
    expect(await start(officer, old)).toMatchObject({ status: 403 })
  })

  test('requires confirmation again after 15 minutes without an action or a tap; polling does not extend them', async () => {
    const officer = await insertOfficer(server, ['bookings'])
    await register(officer, await mailLink(officer.id))
    await agoMinutes(officer.token, 14)
    expect((await enter(officer.token)).status).toBe(200)
    await agoMinutes(officer.token, 14.9)
    expect((await enter(officer.token, { 'Desk-Tap': '1' })).status).toBe(200)
    const { left } = await server.db.one<{ left: number }>(sql`
      select extract(epoch from clock_timestamp() - confirmed_at) as left from sessions where token_hash = ${hashToken(officer.token)}`)
    expect(Number(left)).toBeLessThan(60)
    await agoMinutes(officer.token, 15.1)
    expect(await enter(officer.token)).toMatchObject({ status: 403, body: { status: 'PasskeyRequired' } })
    // A tap after the limit does not extend the confirmation.
    expect((await enter(officer.token, { 'Desk-Tap': '1' })).status).toBe(403)
    expect((await server.request(listOfficePeople, { token: officer.token })).status).toBe(403)
  })

  test('requires confirmation again 12 hours after the last one, whatever taps arrive', async () => {
    const officer = await insertOfficer(server, ['bookings'])
    const { passkey } = await register(officer, await mailLink(officer.id))
    const shown = (hours: number) =>
      server.db.execute(sql`
        update sessions set passkey_at = clock_timestamp() - ${hours} * interval '1 hour' where token_hash = ${hashToken(officer.token)}`)
    await shown(11.9)
    await agoMinutes(officer.token, 14)
    expect((await enter(officer.token, { 'Desk-Tap': '1' })).status).toBe(200)
    await shown(12.1)
    expect(await enter(officer.token, { 'Desk-Tap': '1' })).toMatchObject({ body: { status: 'PasskeyRequired' } })
    expect(await show(passkey, officer.token)).toMatchObject({ status: 'Ok' })
    expect((await enter(officer.token)).status).toBe(200)
  })

  test('rejects a passkey that was added with the password alone', async () => {
    const person = await insertUserWithSession(server.db)
    const { passkey } = await register(person)
    await server.db.execute(sql`insert into office_rights (web_user_id, "right") values (${person.id}, 'programme')`)
    expect(await show(passkey, person.token)).toMatchObject({
      status: 'Failed',
      message: expect.stringContaining('Link'),
    })
    const { id: token } = await show(passkey)
    expect((await enter(token)).status).toBe(403)
    expect(await start({ ...person, token })).toMatchObject({ status: 403, body: { status: 'Failed' } })
  })
})

describe('any user', () => {
  test('adds a passkey, logs in with it, and removes it', async () => {
    const person = await insertUserWithSession(server.db)
    const { passkey } = await register(person)
    const { body: listed } = await server.request(listPasskeys, { token: person.token })
    expect(listed).toMatchObject([{ id: passkey.id, lastUsedAt: null, isVouched: false }])
    const session = await show(passkey)
    expect(session).toMatchObject({ status: 'Ok', webUserId: person.id })
    expect((await server.request(getWebUser, { token: session.id })).status).toBe(200)
    const { body: items } = await server.request(listMessages, { token: session.id })
    expect(items.map(({ title }) => title)).toEqual(['Neuer Passkey für Ihr Konto'])

    const removed = await server.request(removePasskey, { token: person.token, params: { id: passkey.id }, body: {} })
    expect(removed.body).toMatchObject({ status: 'Ok' })
    expect(await show(passkey)).toMatchObject({ status: 'Failed', id: '' })
  })

  test('cannot remove or confirm with another person’s passkey', async () => {
    const [one, other] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
    const { passkey } = await register(one)
    expect(
      (await server.request(removePasskey, { token: other.token, params: { id: passkey.id }, body: {} })).status,
    ).toBe(404)
    expect(await show(passkey, other.token)).toMatchObject({ status: 'Failed' })
    expect((await register(other, undefined, passkey)).body).toMatchObject({ status: 'Failed' })
  })

  test('cannot add a passkey with a session that is not recent', async () => {
    const person = await insertUserWithSession(server.db)
    await server.db.execute(sql`
      update sessions set created_at = clock_timestamp() - interval '2 hours' where token_hash = ${hashToken(person.token)}`)
    expect(await start(person)).toMatchObject({ status: 403, body: { status: 'Failed' } })
  })

  test('cannot log in to a locked account', async () => {
    const person = await insertUserWithSession(server.db)
    const { passkey } = await register(person)
    await server.db.execute(sql`update web_users set locked_at = clock_timestamp() where id = ${person.id}`)
    expect(await show(passkey)).toMatchObject({ status: 'NotActive', id: '' })
  })
})

describe('a session that is 20 days old', () => {
  const setAge = (token: string) =>
    server.db.execute(sql`
      update sessions set created_at = clock_timestamp() - interval '20 days', confirmed_at = null, passkey_at = null
      where token_hash = ${hashToken(token)}`)
  const remove = async (token: string, id: string, body: { password?: string } = {}) =>
    (await server.request(removePasskey, { token, params: { id }, body })).body.status
  const count = async (token: string) => (await server.request(listPasskeys, { token })).body.length

  test('removes no passkey without the password', async () => {
    const person = await insertUserWithSession(server.db, { passwordHash })
    const { passkey } = await register(person)
    await setAge(person.token)
    expect(await remove(person.token, passkey.id)).toBe('WrongPWorUser')
    const path = removePasskey.path.replace(':id', passkey.id)
    const bare = await server.app.request(path, { method: 'DELETE', headers: { SessionToken: person.token } })
    expect(await bare.json()).toMatchObject({ status: 'WrongPWorUser', message: expect.stringContaining('Passkey') })
    expect(await remove(person.token, passkey.id, { password: 'Falsch-123-falsch' })).toBe('WrongPWorUser')
    expect(await count(person.token)).toBe(1)
    expect(await remove(person.token, passkey.id, { password: PASSWORD })).toBe('Ok')
    expect(await count(person.token)).toBe(0)
  })

  test('removes a passkey within minutes of a passkey confirmation', async () => {
    const person = await insertUserWithSession(server.db)
    const [{ passkey }, { passkey: second }] = [await register(person), await register(person)]
    await setAge(person.token)
    await show(passkey, person.token)
    expect(await remove(person.token, second.id)).toBe('Ok')
    await server.db.execute(sql`
      update sessions set passkey_at = clock_timestamp() - interval '16 minutes' where token_hash = ${hashToken(person.token)}`)
    expect(await remove(person.token, passkey.id)).toBe('WrongPWorUser')
    // Use extends the confirmation of the office session, but not the one for removing its only passkey.
    const officer = await insertOfficer(server, ['programme'])
    const { passkey: key } = await register(officer, await mailLink(officer.id))
    await setAge(officer.token)
    await server.db.execute(sql`
      update sessions set confirmed_at = clock_timestamp(), passkey_at = clock_timestamp() - interval '2 hours'
      where token_hash = ${hashToken(officer.token)}`)
    expect((await enter(officer.token)).status).toBe(200)
    expect(await remove(officer.token, key.id)).toBe('WrongPWorUser')
  })

  test('is limited to five password attempts', async () => {
    const person = await insertUserWithSession(server.db, { passwordHash })
    const { passkey } = await register(person)
    await setAge(person.token)
    for (let guess = 0; guess < 5; guess += 1)
      await remove(person.token, passkey.id, { password: `Geraten-${guess}-x` })
    expect(await remove(person.token, passkey.id, { password: PASSWORD })).toBe('TooManyFailures')
    expect(await count(person.token)).toBe(1)
  })
})

test('one person cannot fill the table of challenges', async () => {
  const person = await insertUserWithSession(server.db)
  const answers = await Promise.all(Array.from({ length: 60 }, () => start(person)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(30)
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await start(await insertUserWithSession(server.db))).status).toBe(200)
})

describe('a signed challenge', () => {
  test('is valid once, briefly, for its site, session and purpose, and with user verification', async () => {
    const person = await insertUserWithSession(server.db)
    const { passkey } = await register(person)
    const use = async (body: ReturnType<typeof passkey.get>, token?: string) =>
      (await server.request(showPasskey, { body, ...(token && { token }) })).body.status
    const refused = async (signed: Partial<Parameters<typeof passkey.get>[0]>) =>
      expect(await use(passkey.get({ challenge: await challenge(), ...signed }))).toBe('Failed')
    await refused({ challenge: 'AAAA' })
    await refused({ origin: 'https://evil.example' })
    await refused({ rpId: 'evil.example' })
    await refused({ isVerified: false })
    await refused({ challenge: (await start(person)).body.challenge })
    // Challenge requested in a session but answered without one, and vice versa.
    await refused({ challenge: await challenge(person.token) })
    expect(await use(passkey.get({ challenge: await challenge() }), person.token)).toBe('Failed')
    const tampered = passkey.get({ challenge: await challenge() })
    expect(
      await use({
        ...tampered,
        response: { ...tampered.response, signature: passkey.get({ challenge: 'x' }).response.signature },
      }),
    ).toBe('Failed')

    const late = await challenge()
    await server.db.execute(sql`
      update passkey_challenges set expires_at = clock_timestamp() - interval '1 second' where challenge = ${late}`)
    await refused({ challenge: late })

    const good = passkey.get({ challenge: await challenge() })
    const answers = await Promise.all([use(good), use(good)])
    expect(answers.sort()).toEqual(['Failed', 'Ok'])
    expect(await use(good)).toBe('Failed')
  })

  test('is rejected if the counter has decreased, which indicates a copied passkey', async () => {
    const person = await insertUserWithSession(server.db)
    const { passkey } = await register(person)
    await server.db.execute(sql`update passkeys set counter = 1000 where id = ${passkey.id}`)
    expect(await show(passkey)).toMatchObject({ status: 'Failed' })
  })
})

test('the start reports where passkeys cannot work and that PUBLIC_URL is not set', () => {
  const linesOf = (isPasskeyRequired: boolean, publicUrl: string, isPasskeyOffByDefault = false) => [
    ...describePasskeys({ isPasskeyRequired, isPasskeyOffByDefault, publicUrl, host: '0.0.0.0', port: 8080 }),
  ]
  expect(linesOf(true, 'http://localhost:8081', true)).toEqual([expect.stringContaining('OFFICE_PASSKEY=required')])
  expect(linesOf(true, 'https://sport.example.com')).toEqual([])
  expect(linesOf(true, 'http://localhost:8081')).toEqual([])
  expect(linesOf(true, 'http://localhost:8080')).toEqual([expect.stringContaining('PUBLIC_URL is not set')])
  expect(linesOf(true, 'http://sport.example.com')).toEqual([expect.stringContaining('PUBLIC_URL is not https')])
  for (const url of ['http://127.0.0.1:8080', 'https://[2001:db8::1]'])
    expect(linesOf(true, url)).toEqual([expect.stringContaining('IP address')])
  expect(linesOf(false, 'https://sport.example.com')).toEqual([expect.stringContaining('OFFICE_PASSKEY=off')])
})

import { expect, test } from 'vitest'
import { checkSession, login, logout } from '#contract/endpoints/session.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertDivision, insertInstructor, insertWebUser } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { behindProxy, openTestServer } from '#server/test/server.ts'
import { hashPassword } from './passwords.ts'

const server = await openTestServer(behindProxy)

let addresses = 0
const newAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`

const insertPerson = (values = {}) => insertWebUser(server.db, { passwordHash, ...values })

const send = async (userName: string, password = PASSWORD, { keepSession = false, address = newAddress() } = {}) =>
  (
    await server.request(login, {
      body: { userName, password, keepSession },
      headers: { 'X-Forwarded-For': address },
      language: 'de',
    })
  ).body

const check = async (sessionToken: string) => (await server.request(checkSession, { query: { sessionToken } })).body

test('the right password starts a session whose token is valid until logout', async () => {
  const { id: divisionId } = await insertDivision(server.db)
  const { email } = await insertInstructor(server.db)
  await insertPerson({ email, givenName: 'Ada', familyName: 'Özdemir', divisionId })
  const session = await send(email.toUpperCase())
  expect(session).toMatchObject({
    status: 'Ok',
    userName: email,
    givenName: 'Ada',
    familyName: 'Özdemir',
    isInstructor: true,
    keepSession: false,
    employeeStatus: 1,
    isDivisionToSet: false,
    hasUnreadMessages: false,
    isPasswordToChange: false,
    message: '',
  })
  expect(Buffer.from(session.id, 'base64url')).toHaveLength(32)
  expect(await check(session.id)).toEqual(session)
  expect(await server.request(logout, { token: session.id })).toMatchObject({ status: 200, body: { status: 'Ok' } })
  expect(await check(session.id)).toMatchObject({ status: 'NotFound', id: '', userName: '' })
  expect((await server.request(logout, { token: session.id })).status).toBe(401)
})

test('an unknown user and a wrong password get the same answer after the same work', async () => {
  const { email } = await insertPerson()
  const micros: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] }
  for (let round = 0; round < 15; round++) {
    for (const [kind, userName] of [
      ['unknown', `nobody${round}@demo.example`],
      ['wrong', email],
    ] as const) {
      const before = process.cpuUsage()
      const answer = await send(userName, 'Falsch-12345')
      const { user, system } = process.cpuUsage(before)
      micros[kind].push(user + system)
      expect(answer).toMatchObject({ status: 'WrongPWorUser', message: 'E-Mail-Adresse oder Passwort stimmen nicht.' })
    }
  }
  // CPU time is dominated by hashing; the minimum is the least affected by other work of the machine.
  const ratio = Math.min(...micros.unknown) / Math.min(...micros.wrong)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.6)
})

test('only the correct password reveals that an account is not activated', async () => {
  const { email } = await insertPerson({ confirmedAt: null })
  expect(await send(email)).toMatchObject({ status: 'NotActive', id: '' })
  expect(await send(email, 'Falsch-12345')).toMatchObject({ status: 'WrongPWorUser' })
})

test.each(['known', 'unknown'])('five failures of a %s user lock the login from that IP address only', async kind => {
  const { email } = kind === 'known' ? await insertPerson() : { email: 'fremd@demo.example' }
  const address = newAddress()
  for (let failure = 1; failure <= 5; failure++) {
    expect(await send(email, 'Falsch-12345', { address })).toMatchObject({ status: 'WrongPWorUser' })
  }
  expect(await send(email, PASSWORD, { address })).toMatchObject({
    status: 'TooManyFailures',
    id: '',
    message: 'Zu viele Fehlversuche. Bitte versuchen Sie es in 15 Minuten noch einmal.',
  })
  const elsewhere = kind === 'known' ? 'Ok' : 'WrongPWorUser'
  expect(await send(email)).toMatchObject({ status: elsewhere })
  await server.db.execute(sql`
    update throttle_events set happened_at = happened_at - interval '15 minutes' where subject = ${email}`)
  expect(await send(email, PASSWORD, { address })).toMatchObject({ status: elsewhere })
})

test('five failures from one IPv6 network lock the login from that network', async () => {
  const { email } = await insertPerson()
  const from = (host: string) => ({ address: `2001:db8:7:1:${host}` })
  for (let failure = 1; failure <= 5; failure++) {
    expect(await send(email, 'Falsch-12345', from(`a:b:c:${failure}`))).toMatchObject({ status: 'WrongPWorUser' })
  }
  expect(await send(email, PASSWORD, from(':9'))).toMatchObject({ status: 'TooManyFailures' })
  expect(await send(email, PASSWORD, { address: '2001:db8:7:2::9' })).toMatchObject({ status: 'Ok' })
})

test('a hundred failures within an hour lock the login from any address', async () => {
  const { email } = await insertPerson()
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address, happened_at)
    select 'login', ${email}, '192.0.2.' || i, clock_timestamp() - interval '59 minutes' from generate_series(1, 99) as i`)
  expect(await send(email)).toMatchObject({ status: 'Ok' })
  expect(await send(email, 'Falsch-12345')).toMatchObject({ status: 'WrongPWorUser' })
  const refused = await send(email)
  expect(refused).toMatchObject({ status: 'TooManyFailures' })
  expect(refused.message).toContain('in 1 Minute ')
})

test('only five of twenty concurrent attempts are verified', async () => {
  const { email } = await insertPerson()
  const address = newAddress()
  const guesses = [...Array.from({ length: 19 }, (_, index) => `Falsch-${index}`), PASSWORD]
  const answers = await Promise.all(guesses.map(guess => send(email, guess, { address })))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter(status => status === 'WrongPWorUser')).toHaveLength(5)
  expect(statuses.filter(status => status !== 'WrongPWorUser' && status !== 'TooManyFailures').length).toBeLessThan(2)
  expect(await send(email, PASSWORD, { address })).toMatchObject({ status: 'TooManyFailures' })
})

test('failures recorded while the clock was a year ahead do not lock the login', async () => {
  const { email } = await insertPerson()
  const address = newAddress()
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address, happened_at)
    select 'login', ${email}, ${address}, clock_timestamp() + interval '1 year' from generate_series(1, 5)`)
  expect(await send(email, PASSWORD, { address })).toMatchObject({ status: 'Ok' })
})

test('successful logins from one address are never limited', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => insertPerson()))
  const address = newAddress()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => send(people[index % 10]?.email ?? '', PASSWORD, { address })),
  )
  expect(answers.filter(({ status }) => status === 'Ok')).toHaveLength(100)
})

/**
 * Hours between the end of a session and the expected one. The interval is added by the database: 90 days are an hour
 * more or less than 90 × 24 hours if they cross a change of the clock.
 */
const hoursAfter = async (expected: string, { email }: { email: string }) =>
  (
    await server.db.one<{ hours: number }>(sql`
      select extract(epoch from s.expires_at - (clock_timestamp() + ${expected}::interval)) / 3600 as hours
      from sessions s join web_users u on u.id = s.web_user_id where u.email = ${email}`)
  ).hours

test('a persistent session ends 90 days after its last use, any other 24 hours after the login', async () => {
  const [kept, short] = [await insertPerson(), await insertPerson()]
  const tokens = [(await send(kept.email, PASSWORD, { keepSession: true })).id, (await send(short.email)).id]
  expect(await hoursAfter('90 days', kept)).toBeCloseTo(0, 1)
  expect(await hoursAfter('24 hours', short)).toBeCloseTo(0, 1)

  await server.db.execute(sql`
    update sessions set last_used_at = last_used_at - interval '61 minutes', expires_at = expires_at - interval '10 hours'
    where web_user_id in (${kept.id}, ${short.id})`)
  for (const token of tokens) expect(await check(token)).toMatchObject({ status: 'Ok' })
  expect(await hoursAfter('90 days', kept)).toBeCloseTo(0, 1)
  expect(await hoursAfter('14 hours', short)).toBeCloseTo(0, 1)

  await server.db.execute(sql`update sessions set expires_at = clock_timestamp() where web_user_id = ${kept.id}`)
  expect(await check(tokens[0] ?? '')).toMatchObject({ status: 'NotFound' })
})

test('a missing division is requested if the group has one', async () => {
  const employee = await insertPerson({ employeeStatus: EMPLOYEE_STATUS.Employee })
  const external = await insertPerson({ employeeStatus: EMPLOYEE_STATUS.External })
  expect(await send(employee.email)).toMatchObject({ isDivisionToSet: true, isProfileToComplete: true })
  expect(await send(external.email)).toMatchObject({ isDivisionToSet: false })
  const imported = await insertPerson({ employeeStatus: null })
  expect(await send(imported.email)).toMatchObject({ employeeStatus: 0, isProfileToComplete: true })
})

test('e-mails use the language of the login', async () => {
  const { id, email } = await insertPerson()
  const logInWith = (headers: Record<string, string>) =>
    server.request(login, { body: { userName: email, password: PASSWORD }, headers })
  const language = async () =>
    (await server.db.one<{ language: string }>(sql`select language from web_users where id = ${id}`)).language
  await logInWith({ 'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8' })
  expect(await language()).toBe('en')
  await logInWith({})
  expect(await language()).toBe('en')
})

test('an umlaut is equal in every encoding', async () => {
  const { email } = await insertPerson({ passwordHash: await hashPassword('Tüten-Süppchen-9'.normalize('NFC')) })
  expect(await send(email, 'Tüten-Süppchen-9'.normalize('NFD'))).toMatchObject({ status: 'Ok' })
})

test('a hash with weaker parameters is renewed at the next login', async () => {
  const { hash } = await import('@node-rs/argon2')
  const { id, email } = await insertPerson({ passwordHash: await hash(PASSWORD, { memoryCost: 8192, timeCost: 1 }) })
  expect(await send(email)).toMatchObject({ status: 'Ok' })
  const row = await server.db.one<{ hash: string }>(sql`select password_hash as hash from web_users where id = ${id}`)
  expect(row.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await send(email)).toMatchObject({ status: 'Ok' })
})

test.each([
  [{ userName: 'a', password: PASSWORD }, 'userName'],
  [{ userName: 'a\u0000b', password: PASSWORD }, 'userName'],
  [{ userName: 'x'.repeat(51), password: PASSWORD }, 'userName'],
  [{ userName: 'kim@demo.example', password: 'abc' }, 'password'],
  [{ userName: 'kim@demo.example', password: 'x'.repeat(51) }, 'password'],
])('an invalid login request is rejected with the field: %j', async (body, field) => {
  expect(await server.request(login, { body })).toMatchObject({
    status: 400,
    body: { status: 'Failed', message: expect.stringContaining(field) },
  })
})

test('an invisible character creates no second account and does not lock out an earlier one', async () => {
  const earlier = await insertWebUser(server.db, { email: 'ma\u200bra@demo.example', passwordHash })
  const own = await insertWebUser(server.db, { email: 'vera@demo.example', passwordHash })
  const dotted = await insertWebUser(server.db, { email: 'a@corp..example', passwordHash })
  const idOf = async (userName: string) =>
    (await server.request(login, { body: { userName, password: PASSWORD } })).body.webUserId
  expect(await idOf('Ma\u200bra@demo.example')).toBe(earlier.id)
  expect(await idOf('ve\u2063ra@demo.example ')).toBe(own.id)
  expect(await idOf('ｖｅｒａ@demo.example')).toBe(own.id)
  expect(await idOf('a@corp..example')).toBe(dotted.id)
  // Failed attempts are counted per account, however its name is spelled.
  const guess = async (userName: string) =>
    (await server.request(login, { body: { userName, password: 'Geraten-1-x' } })).body.status
  for (const hidden of ['\u200b', '\u200c', '\u200d', '\u2060', '\u2063']) await guess(`v${hidden}era@demo.example`)
  expect(await guess('vera@demo.example')).toBe('TooManyFailures')
})

test('attempts from many networks of one /48 are counted together', async () => {
  const { email } = await insertPerson()
  const from = (network: number, site = 'aa') => ({ address: `2001:db8:${site}:${network.toString(16)}::1` })
  for (let network = 0; network < 20; network += 1)
    expect(await send(email, 'Falsch-12-x', from(network))).toMatchObject({ status: 'WrongPWorUser' })
  expect(await send(email, PASSWORD, from(100))).toMatchObject({ status: 'TooManyFailures' })
  expect(await send((await insertPerson()).email, PASSWORD, from(101))).toMatchObject({ status: 'Ok' })
  expect(await send(email, PASSWORD, from(1, 'bb'))).toMatchObject({ status: 'Ok' })
})

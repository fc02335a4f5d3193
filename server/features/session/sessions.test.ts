import { expect, test } from 'vitest'
import { editWebUser, getWebUser } from '#contract/endpoints/accounts.ts'
import { bookCourse, getCourse } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import {
  changePassword,
  checkSession,
  endOtherSessions,
  endSession,
  listSessions,
  login,
  logout,
} from '#contract/endpoints/session.ts'
import { sql } from '#server/platform/db/client.ts'
import { daysFromNow, insertBooking, insertCourse, insertSession, insertWebUser } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { openTestServer } from '#server/test/server.ts'
import { hashMailedPassword } from './passwords.ts'

const MAILED = 'k4mt-92pw-xyzt-bq3d'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const server = await openTestServer()

const insertPerson = (values = {}) => insertWebUser(server.db, { passwordHash, ...values })
const mailPassword = (id: number) =>
  server.db.execute(sql`
    update web_users set reset_password_hash = ${hashMailedPassword(MAILED)},
      reset_expires_at = clock_timestamp() + interval '1 day' where id = ${id}`)
const logIn = (userName: string, password = PASSWORD, headers: Record<string, string> = {}, keepSession = false) =>
  server.request(login, { body: { userName, password, keepSession }, headers })
const isAlive = async (token: string) =>
  (await server.request(checkSession, { headers: { SessionToken: token } })).body.status === 'Ok'
const list = async (token: string) => (await server.request(listSessions, { token })).body

test('the session check reads the token from the header, so that no URL contains it', async () => {
  const { id } = await insertPerson()
  const token = await insertSession(server.db, id)
  const byHeader = await server.request(checkSession, { headers: { SessionToken: token } })
  const byQuery = await server.request(checkSession, { query: { sessionToken: token } })
  expect(byHeader.body).toMatchObject({ status: 'Ok', id: token, webUserId: id })
  expect(byHeader.body).toEqual(byQuery.body)
  expect((await server.request(checkSession, { headers: { SessionToken: 'unknown' } })).body.status).toBe('NotFound')
  expect(await server.request(checkSession)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('sessionToken') },
  })
})

test('a login with an e-mailed password ends every other session', async () => {
  const { id, email } = await insertPerson()
  const old = [await insertSession(server.db, id), await insertSession(server.db, id, { isKept: true })]
  await mailPassword(id)
  const { body } = await logIn(email, MAILED)
  expect(body).toMatchObject({ status: 'Ok', isPasswordToChange: true })
  for (const token of old) expect(await isAlive(token)).toBe(false)
  expect(await isAlive(body.id)).toBe(true)
})

test('an e-mailed password gives no access before a new password is chosen', async () => {
  const { id, email } = await insertPerson()
  const course = await insertCourse(server.db)
  await insertBooking(server.db, course.id, id)
  await mailPassword(id)
  const token = (await logIn(email, MAILED)).body.id
  for (const endpoint of [getWebUser, listMessages, exportPersonalData, listSessions, endOtherSessions]) {
    expect(await server.request(endpoint, { token, language: 'de' })).toMatchObject({
      status: 403,
      body: { status: 'Failed', message: 'Bitte wählen Sie zuerst ein eigenes Passwort.' },
    })
  }
  expect((await server.request(bookCourse, { token, body: { id: course.id } })).status).toBe(403)
  expect((await server.request(editWebUser, { token, body: {} as never })).status).toBe(403)
  expect((await server.request(getCourse, { token, params: { id: course.id } })).body.bookingStatus).toBe(0)

  const body = { password: 'Blauer.Elefant9', confirmPassword: 'Blauer.Elefant9' }
  expect((await server.request(changePassword, { token, body })).body.changed).toBe(true)
  expect((await server.request(getWebUser, { token })).body).toMatchObject({ status: 'Ok', email })
  expect((await server.request(getCourse, { token, params: { id: course.id } })).body.bookingStatus).toBe(1)
  expect((await server.request(checkSession, { headers: { SessionToken: token } })).body.isPasswordToChange).toBe(false)
})

test('a session started with an e-mailed password can log out', async () => {
  const { id, email } = await insertPerson()
  await mailPassword(id)
  const token = (await logIn(email, MAILED)).body.id
  expect((await server.request(logout, { token })).body.status).toBe('Ok')
  expect(await isAlive(token)).toBe(false)
})

test('a persistent session ends a year after the login, however often it is used', async () => {
  const { id } = await insertPerson()
  const days = (count: number) => daysFromNow(count)
  const young = await insertSession(server.db, id, {
    isKept: true,
    createdAt: days(-300),
    lastUsedAt: days(-1),
    expiresAt: days(60),
  })
  const old = await insertSession(server.db, id, {
    isKept: true,
    createdAt: days(-5 * 365),
    lastUsedAt: days(-1),
    expiresAt: days(80),
  })
  expect(await isAlive(young)).toBe(true)
  expect(await isAlive(old)).toBe(false)
  const { left } = await server.db.one<{ left: number }>(sql`
    select extract(epoch from expires_at - clock_timestamp()) / 86400 as left
    from sessions where web_user_id = ${id} and created_at > ${days(-301)}`)
  expect(left).toBeGreaterThan(64)
  expect(left).toBeLessThan(66)
})

test('a person sees where they are logged in, and this device among them', async () => {
  const { id, email } = await insertPerson()
  const elsewhere = (await logIn(email, PASSWORD, { 'User-Agent': FIREFOX }, true)).body.id
  const here = (await logIn(email)).body.id
  await insertSession(server.db, id, { expiresAt: daysFromNow(-1) })
  const sessions = await list(here)
  expect(sessions).toMatchObject([
    { isCurrent: true, isKept: false, device: '' },
    { isCurrent: false, isKept: true, device: 'Firefox, Windows' },
  ])
  for (const { startedAt, lastUsedAt } of sessions) {
    expect(startedAt.year).toBeGreaterThan(2025)
    expect(lastUsedAt).toEqual(startedAt)
  }
  expect((await list(elsewhere)).filter(({ isCurrent }) => isCurrent)).toMatchObject([{ device: 'Firefox, Windows' }])
  expect(JSON.stringify(sessions)).not.toContain(elsewhere)
})

test('a person can end one or all other sessions, but only their own', async () => {
  const [{ id }, stranger] = [await insertPerson(), await insertPerson()]
  const [here, there, kept] = [
    await insertSession(server.db, id),
    await insertSession(server.db, id),
    await insertSession(server.db, id, { isKept: true }),
  ]
  const foreign = await insertSession(server.db, stranger.id)
  const idOf = async (token: string) => (await list(token)).find(({ isCurrent }) => isCurrent)?.id ?? 0
  expect((await server.request(endSession, { token: here, params: { id: await idOf(foreign) } })).status).toBe(404)
  expect(await isAlive(foreign)).toBe(true)
  expect((await server.request(endSession, { token: here, params: { id: await idOf(there) } })).body.status).toBe('Ok')
  expect([await isAlive(here), await isAlive(there), await isAlive(kept)]).toEqual([true, false, true])
  expect((await server.request(endOtherSessions, { token: here })).body.status).toBe('Ok')
  expect([await isAlive(here), await isAlive(kept), await isAlive(foreign)]).toEqual([true, false, true])
})

/** The cookie of a response, as a browser stores it. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const mailsOf = async (id: number) =>
  (
    await server.db.query<{ kind: string; payload: { device: string } }>(
      sql`select kind, payload from mails where web_user_id = ${id} order by id`,
    )
  ).map(({ kind, payload }) => [kind, payload.device])

test('a login on a new device sends an e-mail to people with known devices, at most three a day', async () => {
  const { id, email } = await insertPerson()
  const first = await logIn(email)
  await logIn(email)
  expect(await mailsOf(id)).toEqual([])

  const Cookie = `XSRF-TOKEN=test; ${cookieOf(first)}`
  await server.request(checkSession, { headers: { SessionToken: first.body.id, Cookie } })
  await logIn(email, PASSWORD, { Cookie })
  expect(await mailsOf(id)).toEqual([])
  for (let round = 1; round <= 5; round++) await logIn(email, PASSWORD, { 'User-Agent': FIREFOX })
  expect(await mailsOf(id)).toEqual(Array.from({ length: 3 }, () => ['new-device', 'Firefox, Windows']))
})

test('logging out everywhere, or a new password, removes all other known browsers', async () => {
  const { id, email } = await insertPerson()
  const own = await logIn(email)
  const other = await logIn(email)
  const Cookie = `XSRF-TOKEN=test; ${cookieOf(own)}`
  await server.request(endOtherSessions, { token: own.body.id, headers: { Cookie } })
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'login', ${email}, '127.0.0.1' from generate_series(1, 5)`)
  expect((await logIn(email, PASSWORD, { Cookie })).body.status).toBe('Ok')
  const foreign = { Cookie: `XSRF-TOKEN=test; ${cookieOf(other)}` }
  expect((await logIn(email, PASSWORD, foreign)).body.status).toBe('TooManyFailures')
  expect(await server.db.query(sql`select from known_devices where web_user_id = ${id}`)).toHaveLength(1)
})

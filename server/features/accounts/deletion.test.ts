import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteAccount, getWebUser } from '#contract/accounts.ts'
import { listInstructors } from '#contract/content.ts'
import { login } from '#contract/session.ts'
import { sql } from '#server/db/client.ts'
import { hashPassword } from '#server/features/session/passwords.ts'
import { dumpTables } from '#server/import/test-folder.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInstructor,
  insertUserWithSession,
} from '#server/test-factories.ts'
import { createPersonTraces } from '#server/test-person.ts'
import { createTestServer, type TestServer } from '#server/test-server.ts'

const PASSWORD = 'Kaffee-Tasse-77'
let server: TestServer
let passwordHash: string
beforeAll(async () => {
  server = await createTestServer()
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(() => server.close())
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

const insertPerson = (values = {}) => insertUserWithSession(server.db, { passwordHash, ...values })
const logIn = async (userName: string) =>
  (await server.request(login, { body: { userName, password: PASSWORD } })).body.status

const remove = async (token: string, password = PASSWORD) =>
  (await server.request(deleteAccount, { body: { password }, token, language: 'de' })).body
const rowOf = (id: number) => server.db.maybeOne<Record<string, unknown>>(sql`select * from web_users where id = ${id}`)
const PAST = { startsOn: dateFromNow(-60), endsOn: dateFromNow(-30) }

test('an account without bookings is gone without a trace but its last mail', async () => {
  const { id, email, token } = await insertPerson()
  expect(await remove(token, 'Falsch-12345')).toMatchObject({ status: 'WrongPWorUser' })
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
  expect(await rowOf(id)).toBeNull()
  expect((await server.request(getWebUser, { token })).status).toBe(401)
  expect(await logIn(email)).toBe('WrongPWorUser')
  expect(await server.db.query(sql`select kind, recipient from mails where recipient = ${email}`)).toEqual([
    { kind: 'account-deleted', recipient: email },
  ])
})

test('running courses are named and keep the account', async () => {
  const { id, token } = await insertPerson()
  const course = await insertCourse(server.db, { name: 'Aqua Fit' })
  await insertBooking(server.db, course.id, id)
  expect(await remove(token)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining(`Aqua Fit (${course.number})`),
  })
  expect((await rowOf(id))?.deleted_at).toBeNull()
  await server.db.execute(sql`update bookings set cancelled_at = now() where web_user_id = ${id}`)
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
})

test('past free courses keep a number without a person, paid ones what accounting needs', async () => {
  const values = { street: 'Lindenallee 27', personnelNumber: '204198', bkkNumber: 'A1', mobilePhone: '0171' }
  const [free, paid] = [await insertPerson(values), await insertPerson(values)]
  const course = await insertCourse(server.db, PAST)
  await insertBooking(server.db, course.id, free.id)
  await insertBooking(server.db, course.id, paid.id, { priceCents: 4000, bookedAt: daysFromNow(-70) })
  expect((await remove(free.token)).message).not.toContain('10 Jahre')
  expect((await remove(paid.token)).message).toContain('10 Jahre')
  const erased = { bkk_number: '', mobile_phone: '', year_of_birth: null, password_hash: null }
  expect(await rowOf(free.id)).toMatchObject({ ...erased, given_name: '', family_name: '—', street: '' })
  expect(await rowOf(paid.id)).toMatchObject({ ...erased, given_name: 'Kim', street: values.street })
  for (const { id, email } of [free, paid]) {
    expect((await rowOf(id))?.email).not.toBe(email)
    expect(await logIn(email)).toBe('WrongPWorUser')
  }
  expect(await server.db.query(sql`select id from bookings where course_id = ${course.id}`)).toHaveLength(2)
})

test('guessing the password of a stolen session ends after five failures', async () => {
  const { token } = await insertPerson()
  for (let guess = 1; guess <= 5; guess++) {
    expect(await remove(token, `Falsch-${guess}`)).toMatchObject({ status: 'WrongPWorUser' })
  }
  expect(await remove(token)).toMatchObject({ status: 'TooManyFailures' })
})

/** What stays findable of a person in the whole database, by the first part of the words that stood nowhere else. */
async function listRemains(words: string[]): Promise<string[]> {
  const text = JSON.stringify(await dumpTables(server.db))
  return words
    .filter(word => text.includes(word))
    .map(word => word.replace(/-[0-9a-f]{10}.*/, ''))
    .sort()
}
const wordsOf = (rows: { row: Record<string, unknown> }[]) =>
  [
    ...new Set(
      rows
        .flatMap(({ row }) => Object.values(row))
        .filter(value => /^[a-zA-Z0-9]+-[0-9a-f]{10}(?:@|$)/.test(String(value))),
    ),
  ] as string[]

test.each([
  ['free', 0, []],
  [
    'paid',
    4050,
    ['city', 'familyName', 'givenName', 'ownerPersonnelNumber', 'personnelNumber', 'street', 'title', 'zip'],
  ],
])('of somebody with %s courses nothing stays anywhere but what accounting needs', async (_, priceCents, kept) => {
  const person = await createPersonTraces(server.db, { priceCents, passwordHash })
  const words = wordsOf(await person.listRows()).filter(word => word !== passwordHash)
  expect(words.length).toBeGreaterThan(30)
  expect(await remove(person.token)).toMatchObject({ status: 'Ok' })
  // The last mail is still on its way.
  expect(await listRemains(words)).toEqual([...kept, 'spur'].sort())
  await server.db.execute(sql`delete from mails`)
  expect(await listRemains(words)).toEqual(kept)
})

test('who teaches a running course hands it over first; then the public profile goes too', async () => {
  const { email } = await insertInstructor(server.db, { familyName: 'Brandt' })
  const course = await insertCourse(server.db, { name: 'Aqua Fit', instructorEmails: [email] })
  const { token } = await insertPerson({ email })
  expect(await remove(token)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining(`Sie leiten noch laufende oder kommende Kurse: Aqua Fit (${course.number})`),
  })
  const listed = async () => (await server.request(listInstructors)).body.map(({ familyName }) => familyName)
  expect(await listed()).toContain('Brandt')
  await server.db.execute(sql`update courses set closes_at = now() where id = ${course.id}`)
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
  expect(await listed()).not.toContain('Brandt')
})

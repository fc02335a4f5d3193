// Fixed dates: the end of the retention period is calculated from that of the booking.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { deleteAccount, getWebUser } from '#contract/endpoints/accounts.ts'
import { getCourseDates, getParticipantList } from '#contract/endpoints/attendance.ts'
import { listInstructors } from '#contract/endpoints/content.ts'
import { getOfficeList } from '#contract/office/people.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import {
  dateFromNow,
  daysFromNow,
  insertBooking,
  insertCourse,
  insertInboxItem,
  insertInstructor,
  insertSession,
  insertUserWithSession,
} from '#server/test/factories.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { toCodes } from '#server/test/list-columns.ts'
import { insertOfficer } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { createPersonTraces } from '#server/test/person.ts'
import { createTestServer, openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

const insertPerson = (values = {}) => insertUserWithSession(server.db, { passwordHash, ...values })
const { logIn } = createAccountCalls(server)

const remove = async (token: string, password = PASSWORD) =>
  (await server.request(deleteAccount, { body: { password }, token, language: 'de' })).body
const rowOf = (id: number) => server.db.maybeOne<Record<string, unknown>>(sql`select * from web_users where id = ${id}`)
const PAST = { startsOn: dateFromNow(-60), endsOn: dateFromNow(-30) }

test('deleting an account without bookings leaves only its last e-mail', async () => {
  const { id, email, token } = await insertPerson()
  const answer = { result: { asked: [{ email, lessons: 1 }], notFree: ['other@demo.example'] } }
  await server.db.execute(sql`
    insert into office_acts (act_id, actor_id, fingerprint, answer) values (gen_random_uuid(), 1, '', ${answer}::jsonb)`)
  expect(await remove(token, 'Falsch-12345')).toMatchObject({ status: 'WrongPWorUser' })
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
  expect(await rowOf(id)).toBeNull()
  expect(await server.db.query(sql`select answer from office_acts`)).toEqual([
    { answer: { result: { asked: [{ email: '', lessons: 1 }], notFree: ['other@demo.example'] } } },
  ])
  expect((await server.request(getWebUser, { token })).status).toBe(401)
  expect(await logIn(email)).toMatchObject({ status: 'WrongPWorUser' })
  expect(await server.db.query(sql`select kind, recipient from mails where recipient = ${email}`)).toEqual([
    { kind: 'account-deleted', recipient: email },
  ])
})

test('an account with current courses is not deleted, and the response names them', async () => {
  const { id, token } = await insertPerson()
  const course = await insertCourse(server.db, { name: 'Aqua Fit', name2: 'Water fitness' })
  await insertBooking(server.db, course.id, id)
  expect(await remove(token)).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining(`Aqua Fit (${course.number})`),
  })
  const english = await server.request(deleteAccount, { body: { password: PASSWORD }, token, language: 'en' })
  expect(english.body.message).toContain(`Water fitness (${course.number})`)
  expect((await rowOf(id))?.deleted_at).toBeNull()
  await server.db.execute(sql`update bookings set cancelled_at = now() where web_user_id = ${id}`)
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
})

test('past courses keep attendance without a name, and paid ones a billing record', async () => {
  const values = { givenName: 'Kim', familyName: 'Zahler', street: 'Lindenallee 27', zip: '38226', city: 'Salzstadt' }
  const [free, paid] = [await insertPerson(values), await insertPerson(values)]
  const course = await insertCourse(server.db, PAST)
  await insertBooking(server.db, course.id, free.id)
  expect(await remove(free.token)).toMatchObject({ kept: [{ kind: 'participation' }, { kind: 'mail' }] })
  expect(await server.db.query(sql`select from billing_records`)).toEqual([])
  await server.db.execute(sql`update courses set energy_fee_cents = 250 where id = ${course.id}`)
  await insertBooking(server.db, course.id, paid.id, { priceCents: 4000, bookedAt: '2026-03-14 12:00' })
  const answer = await remove(paid.token)
  expect(answer.message).toContain('10 Jahre')
  expect(answer.kept).toEqual([
    {
      kind: 'billing',
      what: expect.stringContaining('Name, Anschrift'),
      why: expect.stringContaining('Steuerrecht'),
      until: { year: 2036, month: 3, day: 14, hour: 0, minute: 0, second: 0 },
    },
    {
      kind: 'participation',
      what: expect.stringContaining('ohne Ihren Namen'),
      why: expect.any(String),
      until: expect.any(Object),
    },
    { kind: 'mail', what: expect.any(String), why: expect.any(String), until: expect.any(Object) },
  ])
  expect(await server.db.query(sql`select * from billing_records`)).toEqual([
    {
      id: expect.any(Number),
      name: 'Kim Zahler',
      street: 'Lindenallee 27',
      zip: '38226',
      city: 'Salzstadt',
      course_number: course.number,
      amount_cents: 4250,
      booked_on: '2026-03-14',
      ends_on: '2036-03-14',
    },
  ])
  for (const { id, email } of [free, paid]) {
    expect(await rowOf(id)).toBeNull()
    expect(await logIn(email)).toMatchObject({ status: 'WrongPWorUser' })
  }
  const left = await server.db.query(sql`
    select u.family_name, u.given_name, u.employee_status from bookings b join web_users u on u.id = b.web_user_id
    where course_id = ${course.id}`)
  expect(left).toEqual([1, 2].map(() => ({ family_name: '—', given_name: '', employee_status: null })))
})

test('a fee waived by regular attendance is not in the billing records', async () => {
  const values = { employeeStatus: 1, givenName: 'Kim', familyName: 'Fleißig' }
  const [regular, seldom] = [await insertPerson(values), await insertPerson({ ...values, familyName: 'Selten' })]
  const course = await insertCourse(server.db, { ...PAST, isFreeWithAttendance: true, energyFeeCents: 300 })
  for (const { id } of [regular, seldom]) {
    await insertBooking(server.db, course.id, id, { priceCents: 4000, bookedAt: daysFromNow(-70) })
    await server.db.execute(sql`
      insert into attendances
      select id, ${id}, row_number() over (order by held_at) <= ${id === regular.id ? 4 : 3}, now()
      from course_dates where course_id = ${course.id}`)
  }
  for (const { token } of [regular, seldom]) expect(await remove(token)).toMatchObject({ status: 'Ok' })
  const records = await server.db.query(sql`
    select name, amount_cents from billing_records where course_number = ${course.number} order by name`)
  expect(records).toEqual([
    { name: 'Kim Fleißig', amount_cents: 300 },
    { name: 'Kim Selten', amount_cents: 4300 },
  ])
  // The office list, which no longer contains their names and status, agrees.
  const officer = await insertOfficer(server, ['billing'])
  const list = await server.request(getOfficeList, {
    params: { file: 'bookings.csv' },
    query: { seasonId: String(course.seasonId) },
    token: officer.token,
  })
  const [header = [], ...rows] = Buffer.from(list.body)
    .toString()
    .split('\r\n')
    .map(line => line.split(';'))
  const read = toCodes(
    rows.map(cells => Object.fromEntries(header.map((column, index) => [column, cells[index] ?? '']))),
  )
  const amounts = read.map(({ amount }) => amount).filter(Boolean)
  expect(amounts.sort()).toEqual(['3,00', '43,00'])
})

test('a late cancellation with a charge is in the billing records, whatever the attendance', async () => {
  const person = await insertPerson({ employeeStatus: 1, givenName: 'Kim', familyName: 'Spät' })
  const course = await insertCourse(server.db, { ...PAST, isFreeWithAttendance: true, energyFeeCents: 300 })
  const values = { priceCents: 4000, bookedAt: daysFromNow(-70), cancelledAt: daysFromNow(-40) }
  await insertBooking(server.db, course.id, person.id, { ...values, cancelledAt: daysFromNow(-60) })
  await insertBooking(server.db, course.id, person.id, { ...values, charge: 'share', chargeCents: 1500 })
  await server.db.execute(sql`
    insert into attendances select id, ${person.id}, true, now() from course_dates where course_id = ${course.id}`)
  expect(await remove(person.token)).toMatchObject({ status: 'Ok' })
  const records = await server.db.query(sql`
    select name, amount_cents from billing_records where course_number = ${course.number}`)
  expect(records).toEqual([{ name: 'Kim Spät', amount_cents: 1500 }])
})

test('after the deletion the instructor sees the attendance without a name', async () => {
  const teacher = await insertInstructor(server.db)
  const { token: teacherToken, id: teacherId } = await insertPerson({ email: teacher.email })
  const person = await insertPerson({ familyName: 'Weggegangen', employeeStatus: 5, billingType: 3 })
  const course = await insertCourse(server.db, { ...PAST, instructorEmails: [teacher.email] })
  await insertBooking(server.db, course.id, person.id, { priceCents: 4000, bookedAt: daysFromNow(-70) })
  await server.db.execute(sql`
    insert into attendances select id, ${person.id}, true, now() from course_dates where course_id = ${course.id}`)
  await server.db.execute(sql`
    insert into attendance_changes (change_id, course_date_id, web_user_id, is_present, changed_at, recorded_by)
    select gen_random_uuid(), id, ${person.id}, true, now(), ${teacherId} from course_dates where course_id = ${course.id}`)
  expect(await remove(person.token)).toMatchObject({ status: 'Ok' })
  const ask = { params: { id: course.id }, token: teacherToken }
  const { participants } = (await server.request(getCourseDates, ask)).body
  expect(participants).toEqual([
    { id: expect.any(Number), name: '—', isUserPresent: true, isRecorded: true, participation: 5 },
  ])
  expect(participants[0]?.id).not.toBe(person.id)
  const list = readPdfPages((await server.request(getParticipantList, ask)).body).join()
  expect(list).not.toMatch(/Weggegangen|BKK|Rechnung/)
  const changes = await server.db.query(sql`select web_user_id as id from attendance_changes`)
  expect(changes).toEqual([1, 2, 3, 4, 5].map(() => ({ id: participants[0]?.id })))
})

test('only the person’s own documents, e-mails and e-mail files are deleted', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deletion-'))
  const portal = await createTestServer({ dataDir })
  const { db } = portal
  const [person, other] = [1, 2].map(() => insertUserWithSession(db, { passwordHash }))
  const [{ id, token }, { id: otherId }] = [await person, await other] as [
    { id: number; token: string },
    { id: number },
  ]
  const document = async (name: string) => ({
    name,
    sha256: await insertFileContent(db, 'application/pdf', Buffer.from(`%PDF ${name}`)),
  })
  await insertInboxItem(db, { webUserId: id, title: 'a', text: '', document: await document('own.pdf') })
  for (const webUserId of [id, otherId]) {
    await insertInboxItem(db, { webUserId, title: 'b', text: '', document: await document('shared.pdf') })
    await insertMail(db, { webUserId, kind: 'password-changed', payload: {} })
  }
  await db.execute(sql`update mails set sent_at = now()`)
  await mkdir(join(dataDir, 'outbox'))
  for (const number of [1, 2]) await writeFile(join(dataDir, 'outbox', `0000000${number}.eml`), 'Dear …')
  expect((await portal.request(deleteAccount, { body: { password: PASSWORD }, token })).body.status).toBe('Ok')
  expect(await db.query(sql`select convert_from(content, 'UTF8') as text from file_contents`)).toEqual([
    { text: '%PDF shared.pdf' },
  ])
  expect(await readdir(join(dataDir, 'outbox'))).toEqual(['00000002.eml'])
  await portal.close()
  await rm(dataDir, { recursive: true })
})

test('a stolen session is limited to five password attempts', async () => {
  const { token } = await insertPerson()
  for (let guess = 1; guess <= 5; guess++) {
    expect(await remove(token, `Falsch-${guess}`)).toMatchObject({ status: 'WrongPWorUser' })
  }
  expect(await remove(token)).toMatchObject({ status: 'TooManyFailures' })
})

test('failed attempts by others or in another session do not block the deletion', async () => {
  const { id, email, token } = await insertPerson()
  const stolen = await insertSession(server.db, id)
  for (let guess = 1; guess <= 5; guess++) {
    await logIn(email, `Falsch-${guess}`)
    await remove(stolen, `Falsch-${guess}`)
  }
  expect(await logIn(email)).toMatchObject({ status: 'TooManyFailures' })
  expect(await remove(stolen)).toMatchObject({ status: 'TooManyFailures' })
  expect(await remove(token)).toMatchObject({ status: 'Ok' })
})

/** Lists the person's words that are still anywhere in the database; each word is unique to the person. */
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
  ['paid', 4050, ['city', 'familyName', 'givenName', 'personnelNumber', 'street', 'title', 'zip']],
])('deleting a person with %s courses leaves only what accounting requires', async (_, priceCents, kept) => {
  const person = await createPersonTraces(server.db, { priceCents, passwordHash })
  const words = wordsOf(await person.listRows()).filter(word => word !== passwordHash)
  expect(words.length).toBeGreaterThan(30)
  expect(await remove(person.token)).toMatchObject({ status: 'Ok' })
  // The last e-mail has not been sent yet.
  expect(await listRemains(words)).toEqual([...kept, 'spur'].sort())
  await server.db.execute(sql`delete from mails`)
  expect(await listRemains(words)).toEqual(kept)
})

test('an instructor of a running course is deleted only after it is reassigned, together with the public profile', async () => {
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

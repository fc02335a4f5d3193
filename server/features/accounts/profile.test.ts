import { beforeEach, expect, test } from 'vitest'
import { deleteAccount, editWebUser, getWebUser, type ProfileRequest } from '#contract/endpoints/accounts.ts'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import {
  insertBooking,
  insertCourse,
  insertDivision,
  insertInstructor,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { passwordHash } from '#server/test/password.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const divisionId = (await insertDivision(server.db)).id
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

const insertPerson = (values = {}) => insertUserWithSession(server.db, { passwordHash, ...values })
const read = async (token: string) => (await server.request(getWebUser, { token })).body

const EXTERNAL = {
  formOfAddress: 'Herr' as const,
  givenName: 'Kim',
  familyName: 'Muster',
  employeeStatus: 2 as const,
  billingType: 3 as const,
  street: 'Lindenallee 27',
  zip: '38210',
  city: 'Salzstadt',
  yearOfBirth: 1989,
}
const edit = async (token: string, body: Partial<ProfileRequest> & { email: string }) =>
  (await server.request(editWebUser, { body: { ...EXTERNAL, ...body } as ProfileRequest, token, language: 'de' })).body
const { choosePassword, confirm, logIn, mailsOf } = createAccountCalls(server)

test('an imported profile shows 0 and 1900 for missing values', async () => {
  const { email, token } = await insertPerson({ employeeStatus: null, yearOfBirth: null })
  expect(await read(token)).toMatchObject({
    email,
    employeeStatus: 0,
    billingType: 0,
    divisionId: 0,
    yearOfBirth: 1900,
    password: '',
    confirmPassword: '',
    status: 'Ok',
  })
})

test('sending back an unchanged profile changes nothing', async () => {
  const { email, token } = await insertPerson()
  await edit(token, { email })
  const profile = await read(token)
  expect(profile).toMatchObject({ employeeStatus: 2, divisionId: 0 })
  const { status, body } = await server.request(editWebUser, { body: profile as ProfileRequest, token })
  expect([status, body]).toMatchObject([200, { status: 'Ok' }])
  expect(await read(token)).toEqual(profile)
})

test('whoever becomes external has left the waiting lists when the profile is saved, and is told', async () => {
  const course = await insertCourse(server.db, { capacity: 1 })
  await insertBooking(server.db, course.id, (await insertWebUser(server.db)).id)
  const person = await insertPerson({ employeeStatus: 6 })
  await insertBooking(server.db, course.id, person.id)
  const booked = async () => (await server.request(listBookedCourses, { token: person.token })).body
  expect(await booked()).toMatchObject([{ id: course.id, bookingStatus: 2 }])
  expect(await edit(person.token, { email: person.email })).toMatchObject({ status: 'Ok' })
  expect(await booked()).toEqual([])
  const mails = await server.db.query(sql`
    select kind, payload ->> 'isExternal' as "isExternal" from mails where web_user_id = ${person.id}`)
  expect(mails).toEqual([{ kind: 'cancellation', isExternal: 'true' }])
})

test('a line break in a name is rejected, and nothing is saved', async () => {
  const { email, token } = await insertPerson()
  const before = await read(token)
  for (const name of [{ givenName: ' Eva\r\nBcc: x@demo.example' }, { familyName: 'von\n\tAu' }]) {
    const answer = await edit(token, { email, ...name })
    expect(answer).toMatchObject({ status: 'Failed', message: expect.stringContaining(Object.keys(name)[0] ?? '') })
  }
  expect(await read(token)).toEqual(before)
})

test('changing the group clears the fields of the previous one and adapts the billing type', async () => {
  const { email, token } = await insertPerson()
  const employee = { employeeStatus: 1 as const, personnelNumber: '204198', department: 'P-03', location: 'Tor 4' }
  const rest = { companyAddress: 'Werkstraße 12', divisionId, businessPhone: '0123 4', bkkNumber: 'A1' }
  expect(await edit(token, { email, ...employee, ...rest })).toMatchObject({ status: 'Ok' })
  expect(await read(token)).toMatchObject({ billingType: 1, divisionId, businessPhone: '0123 4', bkkNumber: '' })

  expect(await edit(token, { email, ...employee, ...rest, employeeStatus: 5, billingType: 1 })).toMatchObject({
    status: 'Ok',
  })
  expect(await read(token)).toMatchObject({
    employeeStatus: 5,
    billingType: 3,
    divisionId: 0,
    personnelNumber: '',
    department: '',
    location: '',
    companyAddress: '',
    businessPhone: '',
    bkkNumber: 'A1',
  })
})

test('an invalid profile changes nothing', async () => {
  const { email, token } = await insertPerson()
  const before = await read(token)
  const body = { ...EXTERNAL, email, street: '' }
  expect(await server.request(editWebUser, { body, token })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('street') },
  })
  expect(await read(token)).toEqual(before)
})

test('a new e-mail address takes effect once its link is opened, and both addresses are notified', async () => {
  const { id, email, token } = await insertPerson()
  const newEmail = `neu.${email}`
  expect(await edit(token, { email: newEmail, city: 'Oderwerk' })).toMatchObject({
    status: 'Ok',
    message: expect.stringContaining(newEmail),
  })
  expect(await read(token)).toMatchObject({ email, city: 'Oderwerk' })
  const [link, notice] = await mailsOf(id)
  expect(link).toMatchObject({ kind: 'new-email', recipient: newEmail })
  expect(notice).toMatchObject({ kind: 'new-email-notice', recipient: email, payload: { newEmail } })
  expect(await logIn(newEmail)).toMatchObject({ status: 'WrongPWorUser' })

  expect(await confirm(link?.payload.token ?? '')).toMatchObject({ status: 'Ok' })
  expect(await read(token)).toMatchObject({ email: newEmail })
  expect([await logIn(newEmail), await logIn(email)]).toMatchObject([{ status: 'Ok' }, { status: 'WrongPWorUser' }])
  expect(await confirm(link?.payload.token ?? '')).toMatchObject({ status: 'Ok' })
})

test('only the latest new address can be confirmed, and none after a change of password', async () => {
  const { id, email, token } = await insertPerson()
  await edit(token, { email: `eins.${email}` })
  await sendMails(server.db)
  await server.db.execute(sql`delete from throttle_events`)
  await edit(token, { email: `zwei.${email}` })
  const [first, , second] = (await mailsOf(id)).map(({ payload }) => payload.token)
  expect(await confirm(first ?? '')).toMatchObject({ status: 'NotFound' })
  await choosePassword(token, 'Blauer.Elefant9')
  expect(await confirm(second ?? '')).toMatchObject({ status: 'NotFound' })
  expect(await read(token)).toMatchObject({ email })
})

test('an e-mail address of another account is rejected, before and after the link was sent', async () => {
  const { id, email, token } = await insertPerson()
  const { email: taken } = await insertWebUser(server.db)
  expect(await edit(token, { email: taken, city: 'Oderwerk' })).toMatchObject({ status: 'Duplicate' })
  expect(await read(token)).toMatchObject({ email, city: '' })
  await edit(token, { email: `spaet.${email}` })
  await insertWebUser(server.db, { email: `spaet.${email}` })
  expect(await confirm((await mailsOf(id))[0]?.payload.token ?? '')).toMatchObject({ status: 'Duplicate' })
})

test('links to new addresses are sent at most once a minute', async () => {
  const { id, email, token } = await insertPerson()
  await edit(token, { email: `a.${email}` })
  expect(await edit(token, { email: `b.${email}`, city: 'Oderwerk' })).toMatchObject({ status: 'Failed' })
  expect(await mailsOf(id)).toHaveLength(2)
  expect(await edit(token, { email, city: 'Tannbrück' })).toMatchObject({ status: 'Ok' })
})

test('saving the same new address again after a lost response returns Ok without a second e-mail', async () => {
  const { id, email, token } = await insertPerson()
  const answer = await edit(token, { email: `neu.${email}`, city: 'Oderwerk' })
  expect(await edit(token, { email: ` NEU.${email}`, city: 'Tannbrück' })).toEqual(answer)
  expect(answer).toMatchObject({ status: 'Ok', message: expect.stringContaining('einen Link gesendet') })
  expect(await read(token)).toMatchObject({ email, city: 'Tannbrück' })
  expect(await mailsOf(id)).toHaveLength(2)

  const minutesPass = () =>
    server.db.execute(sql`update throttle_events set happened_at = happened_at - interval '1 minute'`)
  await minutesPass()
  expect(await edit(token, { email: `neu.${email}` })).toMatchObject({ status: 'Ok' })
  expect(await mailsOf(id)).toHaveLength(4)
  expect(await confirm((await mailsOf(id))[0]?.payload.token ?? '')).toMatchObject({ status: 'Ok' })
})

test('an instructor keeps their courses after changing the e-mail address', async () => {
  const { email } = await insertInstructor(server.db)
  const course = await insertCourse(server.db, { instructorEmails: [email] })
  const { id, token } = await insertPerson({ email })
  await edit(token, { email: `neu.${email}` })
  await confirm((await mailsOf(id))[0]?.payload.token ?? '')
  expect(await server.db.query(sql`select email from course_instructors where course_id = ${course.id}`)).toEqual([
    { email: `neu.${email}` },
  ])
})

test('requests without a session are rejected', async () => {
  for (const endpoint of [getWebUser, editWebUser, exportPersonalData, deleteAccount]) {
    expect((await server.request(endpoint)).status).toBe(401)
    expect((await server.request(endpoint, { token: 'x'.repeat(43) })).status).toBe(401)
  }
})

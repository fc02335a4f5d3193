import { beforeEach, expect, test } from 'vitest'
import {
  checkEmailPassword,
  getWebUser,
  listDivisions,
  type ProfileRequest,
  register,
  resendEmail,
} from '#contract/endpoints/accounts.ts'
import { login } from '#contract/endpoints/session.ts'
import { PROFILE_FIELDS } from '#contract/tables/person.ts'
import { completeInput, STATUSES, specifiedBilling, specifiedUse } from '#contract/test/profiles.ts'
import type { EmployeeStatus } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { createAccountCalls } from '#server/test/account-calls.ts'
import { insertDivision, insertWebUser } from '#server/test/factories.ts'
import { PASSWORD } from '#server/test/password.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { behindProxy, openTestServer } from '#server/test/server.ts'

const server = await openTestServer(behindProxy)
const divisionId = (await insertDivision(server.db, { name: 'Guss' })).id
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

let people = 0
const newEmail = () => `neu${++people}@demo.example`

/** A registration with all fields, including those that the group does not use. */
const person = (employeeStatus: EmployeeStatus, values: Partial<ProfileRequest> = {}) =>
  ({ ...completeInput(employeeStatus, 3), email: newEmail(), divisionId, ...values }) as ProfileRequest

const send = (body: object, language: 'de' | 'en' = 'de') =>
  server.request(register, { body: body as ProfileRequest, language })
const { confirm, logIn, mailsTo } = createAccountCalls(server)
const tokenOf = async (email: string) => (await mailsTo(email)).at(-1)?.payload.token ?? ''

test('the divisions are listed', async () => {
  expect((await server.request(listDivisions)).body).toEqual([
    { id: divisionId, name: 'Guss', status: 'Ok', message: '' },
  ])
})

test('opening the activation link enables the login, and opening it again returns Ok', async () => {
  const somebody = person(2)
  expect(await send({ ...somebody, email: ` ${somebody.email.toUpperCase()} ` }, 'en')).toMatchObject({
    status: 200,
    body: { status: 'Ok', message: expect.stringContaining('sent you an e-mail') },
  })
  expect(await mailsTo(somebody.email)).toMatchObject([{ kind: 'activation', language: 'en' }])
  expect(await logIn(somebody.email)).toMatchObject({ status: 'NotActive' })

  const token = await tokenOf(somebody.email)
  expect(await confirm(token)).toMatchObject({ status: 'Ok' })
  expect(await logIn(somebody.email)).toMatchObject({ status: 'Ok', givenName: 'Kim' })
  expect(await confirm(token)).toMatchObject({ status: 'Ok' })
})

test.each(STATUSES)('a registration with status %i stores only the fields of its group', async status => {
  const somebody = person(status)
  expect((await send(somebody)).body).toMatchObject({ status: 'Ok' })
  await confirm(await tokenOf(somebody.email))
  const { id: token } = await logIn(somebody.email)
  const stored = (await server.request(getWebUser, { token })).body
  const billingType = specifiedBilling(status, 3)
  for (const field of PROFILE_FIELDS) {
    const sent = { ...somebody, billingType }[field]
    const isKept = specifiedUse(field, status, billingType) !== 'hidden' && !field.toLowerCase().includes('password')
    if (field !== 'billingType')
      expect([field, stored[field]]).toEqual([field, isKept ? sent : sent === divisionId ? 0 : ''])
  }
  expect(stored.billingType).toBe(billingType)
})

test.each<[string, Record<string, unknown>, string]>([
  ['with a blank company address', { companyAddress: '  ' }, 'companyAddress'],
  ['without a division', { divisionId: null }, 'divisionId'],
  ['with an unknown division', { divisionId: 999_999 }, 'divisionId'],
  ['with two different passwords', { confirmPassword: 'Kaffee-Tasse-78' }, 'confirmPassword'],
  ['with an unknown status', { employeeStatus: 3 }, 'employeeStatus'],
  ['with a control character', { city: 'Salz\u0000stadt' }, 'city'],
  ['with a name on two lines', { familyName: 'Muster\r\nBcc: all' }, 'familyName'],
  ['with a line separator in the name', { givenName: 'Kim\u2028' }, 'givenName'],
  ['with a text direction override in the name', { givenName: 'Kim\u202e' }, 'givenName'],
])('an employee %s is rejected with the name of the field', async (_, values, field) => {
  expect(await send({ ...person(1), ...values })).toMatchObject({
    status: 400,
    body: { status: 'Failed', message: expect.stringContaining(field) },
  })
})

test('a registered address returns Duplicate, and an insecure password returns Failed without an e-mail', async () => {
  const { email } = await insertWebUser(server.db)
  const duplicate = await send(person(2, { email }))
  expect(duplicate).toMatchObject({ status: 200, body: { status: 'Duplicate' } })
  const insecure = person(2, { password: 'Password1!', confirmPassword: 'Password1!' })
  expect(await send(insecure)).toMatchObject({ status: 200, body: { status: 'Failed' } })
  expect(await mailsTo(insecure.email)).toEqual([])
})

test('repeating a registration after a lost response returns Ok without a second e-mail', async () => {
  const both = person(2)
  const answers = await Promise.all([send(both), send(both)])
  expect([...answers, await send(both)].map(({ body }) => body.status)).toEqual(['Ok', 'Ok', 'Ok'])
  expect(await mailsTo(both.email)).toHaveLength(1)
  expect(await confirm(await tokenOf(both.email))).toMatchObject({ status: 'Ok' })
  expect((await send(both)).body).toMatchObject({ status: 'Duplicate' })
})

test('a new registration replaces an unverified one for the same address, including its link and password', async () => {
  const email = newEmail()
  const password = 'Fremdes.Fahrrad8'
  const stranger = { ...person(2), email, password, confirmPassword: password, city: 'Anderswo' }
  expect((await send(stranger)).body).toMatchObject({ status: 'Ok' })
  const strangersLink = await tokenOf(email)

  const owner = { ...person(2), email, givenName: 'Rita' }
  const step1 = { email, password: PASSWORD, confirmPassword: PASSWORD }
  expect((await server.request(checkEmailPassword, { body: step1 })).body).toMatchObject({ status: 'Ok' })
  expect((await send(owner)).body).toMatchObject({ status: 'Ok' })
  expect(await confirm(strangersLink)).toMatchObject({ status: 'NotFound' })
  expect(await confirm(await tokenOf(email))).toMatchObject({ status: 'Ok' })
  const asStranger = { userName: email, password }
  expect((await server.request(login, { body: asStranger })).body).toMatchObject({ status: 'WrongPWorUser' })
  const { id: token } = await logIn(email)
  expect((await server.request(getWebUser, { token })).body).toMatchObject({ givenName: 'Rita', city: owner.city })
  expect((await send(stranger)).body).toMatchObject({ status: 'Duplicate' })
})

test('the first registration step applies the same rules to e-mail address and password', async () => {
  const { email: taken } = await insertWebUser(server.db)
  const check = async (email: string, password: string, confirmPassword = password) => {
    const { status, body } = await server.request(checkEmailPassword, { body: { email, password, confirmPassword } })
    return status === 200 ? body.status : status
  }
  expect(await check(newEmail(), PASSWORD)).toBe('Ok')
  expect(await check(taken, PASSWORD)).toBe('Duplicate')
  expect(await check(newEmail(), 'Password1!')).toBe('Failed')
  expect(await check('kim.petersen@demo.example', 'Kim.Petersen1')).toBe('Failed')
  expect(await check(newEmail(), PASSWORD, 'other')).toBe(400)
  expect(await check('kim@demo.e', PASSWORD)).toBe(400)
})

test('probing many registered addresses slows the responses to that network but rejects none', async () => {
  const { email } = await insertWebUser(server.db)
  const body = { email, password: PASSWORD, confirmPassword: PASSWORD }
  const timed = async (answer: () => Promise<{ status: number }>) => {
    const startedAt = performance.now()
    return { status: (await answer()).status, isSlow: performance.now() - startedAt > 1000 }
  }
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'probe', 'x' || i, '127.0.0.1' from generate_series(1, 2000) as i`)
  const slowed = { status: 200, isSlow: true }
  expect(await timed(() => server.request(checkEmailPassword, { body }))).toEqual(slowed)
  expect(await timed(() => send(person(2, { email: newEmail() })))).toEqual(slowed)
  expect(await timed(() => server.request(resendEmail, { params: { userName: email } }))).toEqual(slowed)
  await server.db.execute(sql`delete from throttle_events`)
})

test('the activation e-mail is sent again at most once a minute, and only to inactive accounts', async () => {
  const somebody = person(2)
  await send(somebody)
  const first = await tokenOf(somebody.email)
  const path = `/api/webuser/resendemail/${somebody.email}`
  expect((await server.app.request(path, { method: 'HEAD' })).status).toBe(200)
  expect(await mailsTo(somebody.email)).toHaveLength(1)
  const resend = async (userName: string) =>
    (await server.request(resendEmail, { params: { userName }, language: 'en' })).body
  const answers = await Promise.all([resend(somebody.email), resend(somebody.email)])
  expect(answers.map(({ status }) => status).sort()).toEqual(['Failed', 'Ok'])
  expect(answers.find(({ status }) => status === 'Failed')?.message).toBe('Please wait a minute before retrying again.')
  expect(
    (await server.request(resendEmail, { params: { userName: somebody.email }, language: 'de' })).body.message,
  ).toBe('Bitte warten Sie eine Minute, bevor Sie es erneut versuchen.')
  expect(await mailsTo(somebody.email)).toHaveLength(2)
  expect(await tokenOf(somebody.email)).not.toBe(first)

  expect(await resend('niemand@demo.example')).toMatchObject({ status: 'NotFound' })
  const { email: active } = await insertWebUser(server.db)
  expect(await resend(active)).toMatchObject({ status: 'Failed', message: expect.stringContaining('active already') })
  expect(await confirm(first)).toMatchObject({ status: 'Ok' })
})

test('after ten activation e-mails in a day, the wait is longer, and the response states it', async () => {
  const somebody = person(2)
  await send(somebody)
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address, happened_at)
    select 'activation', ${somebody.email}, '192.0.2.1', clock_timestamp() - interval '4 hours' from generate_series(1, 10)`)
  const request = { params: { userName: somebody.email }, language: 'en' as const }
  expect((await server.request(resendEmail, request)).body).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining('possible in 20 hours'),
  })
})

test('an unknown activation link or one older than two weeks activates nothing', async () => {
  expect(await confirm('x')).toMatchObject({ status: 'NotFound' })
  const somebody = person(2)
  await send(somebody)
  await sendMails(server.db)
  await server.db.execute(sql`update account_tokens set expires_at = expires_at - interval '15 days'`)
  expect(await confirm(await tokenOf(somebody.email))).toMatchObject({ status: 'NotFound' })
  expect(await logIn(somebody.email)).toMatchObject({ status: 'NotActive' })
})

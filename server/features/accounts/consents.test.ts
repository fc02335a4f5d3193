import { expect, test } from 'vitest'
import { editWebUser, getWebUser, type ProfileRequest, register } from '#contract/endpoints/accounts.ts'
import { changePresence } from '#contract/endpoints/attendance.ts'
import { endConsent, giveConsent, listConsents } from '#contract/endpoints/consents.ts'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertInstructorWithSession, insertUserWithSession } from '#server/test/factories.ts'
import { insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const { db } = server

const consentsOf = async ({ token }: { token: string }) => (await server.request(listConsents, { token })).body.items
const profileOf = async ({ token }: { token: string }) => (await server.request(getWebUser, { token })).body
const insured = (email: string, more = {}) =>
  ({ ...completeInput(EMPLOYEE_STATUS.HealthInsurance, 3), email, yearOfBirth: 1989, ...more }) as ProfileRequest
const given = (kind: string, version: string) => ({
  kind,
  version,
  givenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
  withdrawnAt: null,
})

test('entering an insurance number records the consent with its text, and withdrawing it deletes the number', async () => {
  const person = await insertUserWithSession(db)
  const edit = async (more = {}) =>
    (await server.request(editWebUser, { token: person.token, body: insured(person.email, more) })).body.status
  // An older app without consents shows the first text.
  expect(await edit()).toBe('Ok')
  expect(await consentsOf(person)).toEqual([given('insurance', '1')])
  expect(await edit({ insuranceConsent: '2' })).toBe('Ok')
  expect(await edit()).toBe('Ok')
  expect(await consentsOf(person)).toEqual([given('insurance', '2'), given('insurance', '1')])
  const { body: exported } = await server.request(exportPersonalData, { token: person.token })
  expect(exported.consents).toMatchObject([
    { kind: 'insurance', version: '1' },
    { version: '2', withdrawnAt: null },
  ])

  const end = () => server.request(endConsent, { token: person.token, params: { kind: 'insurance' } })
  expect((await end()).body).toMatchObject({ status: 'Ok', message: expect.stringContaining('gelöscht') })
  expect((await profileOf(person)).bkkNumber).toBe('')
  expect((await consentsOf(person)).map(({ withdrawnAt }) => withdrawnAt)).not.toContain(null)
  expect((await end()).body.status).toBe('Ok')

  // Another status has no insurance number, which also withdraws the consent.
  await edit({ insuranceConsent: '2' })
  await edit({ ...completeInput(EMPLOYEE_STATUS.External, 3), email: person.email, yearOfBirth: 1989 })
  expect((await consentsOf(person)).filter(({ withdrawnAt }) => withdrawnAt === null)).toEqual([])
})

test('a registration with an insurance number records the consent, others record none', async () => {
  const consents = async (email: string) =>
    db.query(sql`
      select c.kind, c.version from consents c join web_users u on u.id = c.web_user_id where u.email = ${email}`)
  const [member, external] = ['member@demo.example', 'external@demo.example']
  await server.request(register, { body: insured(member, { insuranceConsent: '2' }) })
  await server.request(register, {
    body: { ...insured(external), ...completeInput(EMPLOYEE_STATUS.External, 3), email: external } as ProfileRequest,
  })
  expect([await consents(member), await consents(external)]).toEqual([[{ kind: 'insurance', version: '2' }], []])
})

test('an insurance number entered by the department has no consent until the person saves it, and withdrawing deletes it', async () => {
  const person = await insertUserWithSession(db)
  const office = await openTestDesk(server, ['bookings'])
  const fields = insured(person.email)
  const enter = () =>
    office.act({ kind: 'change-person', webUserId: person.id, employeeStatus: 5, bkkNumber: fields.bkkNumber })
  const end = () => server.request(endConsent, { token: person.token, params: { kind: 'insurance' } })
  expect(await enter()).toMatchObject({ status: 'Ok' })
  expect(await consentsOf(person)).toEqual([])
  expect((await end()).body).toMatchObject({ status: 'Ok' })
  expect((await profileOf(person)).bkkNumber).toBe('')

  expect(await enter()).toMatchObject({ status: 'Ok' })
  const body = { ...fields, insuranceConsent: '2' } as const
  expect((await server.request(editWebUser, { token: person.token, body })).body.status).toBe('Ok')
  expect(await consentsOf(person)).toEqual([given('insurance', '2')])
})

test('withdrawing consent to attendance in health courses deletes unsettled attendance and stops recording', async () => {
  const teacher = await insertInstructorWithSession(db)
  const certified = {
    centralTestInstitute: 'KU-BE-4711',
    instructorEmails: [teacher.email],
    isParticipatingComplete: false,
  }
  const health = await insertPastCourse(db, 2, certified)
  const settled = await insertPastCourse(db, 2, certified)
  const other = await insertPastCourse(db, 2, { ...certified, centralTestInstitute: '' })
  const person = await insertPlace(db, health, 2)
  for (const { id, lessonIds } of [settled, other]) {
    await db.execute(sql`insert into bookings (course_id, web_user_id, seq, state, price_cents, booked_at)
      select ${id}, ${person.id}, 1, 1, 4500, min(held_at)::timestamptz - interval '1 hour'
      from course_dates where course_id = ${id}`)
    for (const lessonId of lessonIds)
      await db.execute(sql`
        insert into attendances (course_date_id, web_user_id, is_present, changed_at) values (${lessonId}, ${person.id}, true, now())`)
  }
  await db.execute(
    sql`insert into settlements (course_id, number, facts_hash) values (${settled.id}, 1, ${Buffer.alloc(32)})`,
  )
  const give = () => server.request(giveConsent, { token: person.token, body: { kind: 'attendance', version: '1' } })
  for (const _ of [1, 2]) expect((await give()).body.status).toBe('Ok')
  expect(await consentsOf(person)).toEqual([given('attendance', '1')])
  const tick = async ({ lessonIds: [courseDateId = 0] }: typeof health) =>
    (
      await server.request(changePresence, {
        token: teacher.token,
        body: { changeState: 'added', courseDateId, webUserId: person.id },
      })
    ).body
  expect(await tick(health)).toMatchObject({ status: 'Ok' })

  await server.request(endConsent, { token: person.token, params: { kind: 'attendance' } })
  const countOf = async ({ id }: { id: number }) =>
    (
      await db.one<{ count: number }>(sql`
        select (select count(*) from attendances a join course_dates d on d.id = a.course_date_id
            where d.course_id = ${id} and a.web_user_id = ${person.id})::int
          + (select count(*) from attendance_changes a join course_dates d on d.id = a.course_date_id
            where d.course_id = ${id} and a.web_user_id = ${person.id})::int as count`)
    ).count
  expect([await countOf(health), await countOf(settled), await countOf(other)]).toEqual([0, 2, 2])
  expect(await tick(health)).toMatchObject({
    status: 'Failed',
    code: 'attendance.change.consentWithdrawn',
    message: expect.stringContaining('eingewilligt'),
  })
  expect(await countOf(health)).toBe(0)
  expect(await tick(other)).toMatchObject({ status: 'Ok' })
  await give()
  expect(await tick(health)).toMatchObject({ status: 'Ok' })
})

test('a consent can be read and withdrawn only by its owner', async () => {
  const [person, stranger] = [await insertUserWithSession(db), await insertUserWithSession(db)]
  await server.request(giveConsent, { token: person.token, body: { kind: 'attendance', version: '1' } })
  expect(await consentsOf(stranger)).toEqual([])
  await server.request(endConsent, { token: stranger.token, params: { kind: 'attendance' } })
  expect(await consentsOf(person)).toEqual([given('attendance', '1')])
})

import { expect, test } from 'vitest'
import { editWebUser, type ProfileRequest } from '#contract/endpoints/accounts.ts'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import { completeInput } from '#contract/test/profiles.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertDivision, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const divisionId = (await insertDivision(server.db)).id

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const insertExternal = () => insertUserWithSession(server.db, { employeeStatus: EMPLOYEE_STATUS.External })
const become = async ({ email, token }: Person, status: EmployeeStatus, values: Partial<ProfileRequest> = {}) => {
  const body = { ...completeInput(status, BILLING_TYPE.Invoice), email, divisionId, ...values } as ProfileRequest
  expect((await server.request(editWebUser, { body, token })).body).toMatchObject({ status: 'Ok' })
}
const book = async ({ token }: Person, id: number) => (await server.request(bookCourse, { body: { id }, token })).body
const bookingsOf = async ({ token }: Person) => (await server.request(exportPersonalData, { token })).body.bookings
const insertPaidCourse = (values = {}) => insertCourse(server.db, { feeCents: 2000, externalFeeCents: 3500, ...values })

test('a change of status leaves price, rule, status and personnel number of bookings unchanged', async () => {
  const person = await insertExternal()
  const [before, after] = [await insertPaidCourse({ startsOn: '2099-01-01' }), await insertPaidCourse()]
  await book(person, before.id)
  await become(person, EMPLOYEE_STATUS.Apprentice, { personnelNumber: '4711' })
  await book(person, after.id)
  await become(person, EMPLOYEE_STATUS.External)
  expect(await bookingsOf(person)).toMatchObject([
    { number: before.number, priceEuro: 35, priceRule: 'external', employeeStatus: 2, personnelNumber: '' },
    { number: after.number, priceEuro: 20, priceRule: 'fee', employeeStatus: 7, personnelNumber: '4711', divisionId },
  ])
})

test('people promoted from the waiting list keep the price and data of their booking', async () => {
  const { id } = await insertPaidCourse({ capacity: 1 })
  const [first, second] = [await insertExternal(), await insertUserWithSession(server.db, { personnelNumber: '0815' })]
  await book(first, id)
  await book(second, id)
  await become(second, EMPLOYEE_STATUS.Apprentice, { personnelNumber: '4711' })
  await server.request(cancelCourse, { body: { id }, token: first.token })
  expect(await bookingsOf(second)).toMatchObject([
    { state: 'booked', priceEuro: 20, priceRule: 'fee', employeeStatus: 1, personnelNumber: '0815' },
  ])
})

test('a concurrent change of status never leads to the price of another status', async () => {
  const external = { status: EMPLOYEE_STATUS.External, values: {} }
  const apprentice = { status: EMPLOYEE_STATUS.Apprentice, values: { personnelNumber: '1' } }
  for (let round = 0; round < 12; round++) {
    const person = await insertExternal()
    const { id } = await insertPaidCourse()
    const to = round % 2 ? external : apprentice
    if (to === external) await become(person, apprentice.status, apprentice.values)
    await Promise.all([become(person, to.status, to.values), book(person, id)])
  }
  expect(
    await server.db.query(sql`
      select distinct employee_status, price_rule, price_cents from bookings b join courses c on c.id = b.course_id
      where (price_rule = 'external') <> (employee_status = 2) or price_cents <> case price_rule when 'fee' then 2000 else 3500 end`),
  ).toEqual([])
})

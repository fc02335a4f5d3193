import { expect, test } from 'vitest'
import { getOfficeList, getOfficePerson, getOfficePersonData } from '#contract/office/people.ts'
import type { Right } from '#contract/values.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertWebUser } from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
const NUMBER = 'A123456789'

async function openInsured() {
  const person = await insertWebUser(server.db, { employeeStatus: EMPLOYEE_STATUS.HealthInsurance, bkkNumber: NUMBER })
  const course = await insertCourse(server.db)
  await insertBooking(server.db, course.id, person.id)
  return person
}

/** All office responses with data of a person. */
async function readAll(id: number, rights: readonly Right[]) {
  const { token } = await insertOfficer(server, rights)
  const person = await server.request(getOfficePerson, { params: { id }, token })
  const data = await server.request(getOfficePersonData, { params: { id }, token })
  const list = await server.request(getOfficeList, { params: { file: 'bookings.csv' }, token })
  return {
    person: JSON.stringify(person.body),
    data: JSON.stringify(data.body),
    list: Buffer.from(list.body as Uint8Array).toString(),
    status: [person.status, data.status, list.status],
  }
}

test('reading the health insurance number requires the billing permission', async () => {
  const { id } = await openInsured()
  const bookings = await readAll(id, ['bookings'])
  expect(bookings.status).toEqual([200, 200, 200])
  for (const body of [bookings.person, bookings.data, bookings.list]) expect(body).not.toContain(NUMBER)
  const both = await readAll(id, ['bookings', 'billing'])
  for (const body of [both.person, both.data, both.list]) expect(body).toContain(NUMBER)
  const billing = await readAll(id, ['billing'])
  expect(billing.status).toEqual([403, 403, 200])
  expect(billing.list).toContain(NUMBER)
})

test('a change by users who cannot see the number keeps it', async () => {
  const { id } = await openInsured()
  const { act } = await openTestDesk(server, ['bookings'])
  expect(await act({ kind: 'change-person', webUserId: id, city: 'Celle' })).toMatchObject({ status: 'Ok' })
  expect(await server.db.one(sql`select bkk_number from web_users where id = ${id}`)).toEqual({ bkk_number: NUMBER })
})

import { expect, test } from 'vitest'
import { getOfficePerson } from '#contract/office/people.ts'
import { getToday } from '#contract/office/today.ts'
import { BILLING_TYPE, EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertWebUser } from '#server/test/factories.ts'
import { insertPastCourse, insertPlace } from '#server/test/money-scene.ts'
import { openTestDesk, openTestOffice } from '#server/test/office.ts'

const { server, act, token } = await openTestOffice(['bookings'])
const { db } = server

const see = async (id: number) => (await server.request(getOfficePerson, { params: { id }, token })).body
const listWithoutPayer = async () => (await server.request(getToday, { token })).body.withoutPayer ?? []

test('external and insured people are billed by invoice by default', async () => {
  for (const employeeStatus of [EMPLOYEE_STATUS.External, EMPLOYEE_STATUS.HealthInsurance]) {
    const { result } = await act({ kind: 'create-person', familyName: 'Neu', email: '', employeeStatus })
    expect((await see(Number(result.webUserId))).profile?.billingType).toBe(BILLING_TYPE.Invoice)
  }
  const employee = EMPLOYEE_STATUS.Employee
  const { result } = await act({ kind: 'create-person', familyName: 'Neu', email: '', employeeStatus: employee })
  const id = Number(result.webUserId)
  expect((await see(id)).profile?.billingType).toBe(BILLING_TYPE.PersonnelNumber)
  await act({ kind: 'change-person', webUserId: id, employeeStatus: EMPLOYEE_STATUS.External })
  expect((await see(id)).profile?.billingType).toBe(BILLING_TYPE.Invoice)
  const { result: bare } = await act({ kind: 'create-person', familyName: 'Neu', email: '' })
  const profile = (await see(Number(bare.webUserId))).profile
  expect(profile).toMatchObject({ employeeStatus: 0, billingType: 0, formOfAddress: null })
})

test('booking a paid course for a person without status requires a reason, and the response states the price', async () => {
  const { result } = await act({ kind: 'create-person', familyName: 'Ohne', email: '' })
  const webUserId = Number(result.webUserId)
  const paid = await insertCourse(db, { feeCents: 4950, externalFeeCents: 6450 })
  const asked = await act({ kind: 'book', courseId: paid.id, webUserId })
  expect(asked).toMatchObject({ status: 'Reason', message: expect.stringContaining('Status') })
  expect(asked.message).toContain('49,50\u00a0€')
})

test('Today lists each charge without a payer and the missing field', async () => {
  const course = await insertCourse(db, { feeCents: 4500, name: 'Yoga' })
  const book = async (values: Record<string, unknown>, booking: Record<string, unknown> = {}) => {
    const person = await insertWebUser(db, values)
    await insertBooking(db, course.id, person.id, { priceCents: 4500, ...booking })
    return person.id
  }
  const { Employee, External } = EMPLOYEE_STATUS
  const { PersonnelNumber, ForeignPersonnelNumber, Invoice } = BILLING_TYPE
  const address = { street: 'Weg 1', zip: '29221', city: 'Celle' }
  const missing = new Map([
    [await book({ employeeStatus: null }), 'employeeStatus'],
    [await book({ employeeStatus: External, billingType: null }), 'billingType'],
    [await book({ employeeStatus: Employee, billingType: PersonnelNumber }), 'personnelNumber'],
    [await book({ employeeStatus: External, billingType: ForeignPersonnelNumber }), 'personnelNumber'],
    [await book({ employeeStatus: External, billingType: Invoice, ...address, street: '' }), 'street'],
  ])
  const complete = [
    await book({ employeeStatus: External, billingType: Invoice, ...address }),
    await book({ employeeStatus: Employee, billingType: PersonnelNumber, personnelNumber: '4711' }),
    await book({ employeeStatus: null }, { priceCents: 0 }),
    await book({ employeeStatus: null }, { cancelledAt: new Date() }),
  ]
  const found = await listWithoutPayer()
  const mine = found.filter(({ courseId }) => courseId === course.id)
  expect(new Map(mine.map(line => [line.webUserId, line.missing]))).toEqual(missing)
  expect(mine[0]).toMatchObject({ amount: 45, number: course.number })
  expect(mine.some(({ webUserId }) => complete.includes(webUserId))).toBe(false)
  const [first] = missing.keys()
  await act({
    kind: 'change-person',
    webUserId: Number(first),
    employeeStatus: External,
    billingType: Invoice,
    ...address,
  })
  expect((await listWithoutPayer()).map(({ webUserId }) => webUserId)).not.toContain(first)
})

test('Today asks for a payer only of what is due after the settlement and is in no batch yet', async () => {
  const course = await insertPastCourse(db, 3, { energyFeeCents: 500 })
  const values = { person: { employeeStatus: EMPLOYEE_STATUS.Employee, billingType: null }, energyCents: 500 }
  const attended = await insertPlace(db, course, 3, values)
  const absent = await insertPlace(db, course, 0, values)
  const free = await insertPastCourse(db)
  const waived = await insertPlace(db, free, 3, { ...values, energyCents: 0 })
  const listed = async () => new Map((await listWithoutPayer()).map(({ webUserId, amount }) => [webUserId, amount]))
  expect((await listed()).get(attended.id)).toBe(50)
  const billing = await openTestDesk(server, ['billing'])
  await billing.act({ kind: 'settle-courses', courseIds: [course.id, free.id] })
  const due = await listed()
  expect([attended, absent, waived].map(({ id }) => due.get(id))).toEqual([5, 50, undefined])
})

test('Today asks for no payer of an amount that is on an invoice already', async () => {
  const course = await insertPastCourse(db, 3)
  const person = await insertPlace(db, course, 0, { person: { billingType: BILLING_TYPE.Invoice } })
  const billing = await openTestDesk(server, ['billing'])
  await billing.act({ kind: 'settle-courses', courseIds: [course.id] })
  const { result } = await billing.act({ kind: 'create-batch', batchKind: 'invoice' })
  expect(await billing.act({ kind: 'close-batch', batchId: Number(result.id) })).toMatchObject({ status: 'Ok' })
  await db.execute(sql`update web_users set street = '' where id = ${person.id}`)
  expect((await listWithoutPayer()).map(({ webUserId }) => webUserId)).not.toContain(person.id)
})

test('Today asks for what the account lacks now, as billing does, and for nothing that was completed since the booking', async () => {
  const course = await insertCourse(db, { feeCents: 4500 })
  const address = { street: 'Weg 1', zip: '29221', city: 'Celle' }
  const { Employee, External, Pensioner } = EMPLOYEE_STATUS
  const book = async (values: Record<string, unknown>) => {
    const person = await insertWebUser(db, values)
    await insertBooking(db, course.id, person.id, { priceCents: 4500 })
    return person.id
  }
  const completed = [
    await book({ employeeStatus: Pensioner, billingType: BILLING_TYPE.PersonnelNumber }),
    await book({ employeeStatus: External, billingType: BILLING_TYPE.Unknown }),
  ]
  const changed = await book({ employeeStatus: External, billingType: BILLING_TYPE.Invoice, ...address })
  const byStatus = await book({ employeeStatus: Employee, billingType: null, personnelNumber: '4712' })
  const missing = async () =>
    (await listWithoutPayer()).flatMap(({ webUserId, courseId, missing }) =>
      courseId === course.id ? [[webUserId, missing]] : [],
    )
  expect(new Map((await missing()) as [number, string][])).toEqual(
    new Map([
      [completed[0], 'personnelNumber'],
      [completed[1], 'billingType'],
    ]),
  )
  expect((await missing()).map(([id]) => id)).not.toContain(byStatus)
  for (const webUserId of completed)
    await act({ kind: 'change-person', webUserId, billingType: BILLING_TYPE.Invoice, ...address })
  const { ForeignPersonnelNumber } = BILLING_TYPE
  await db.execute(sql`update web_users set billing_type = ${ForeignPersonnelNumber} where id = ${changed}`)
  expect(await missing()).toEqual([[changed, 'personnelNumber']])
})

import { expect, test } from 'vitest'
import { editWebUser, getWebUser, type ProfileRequest } from '#contract/endpoints/accounts.ts'
import {
  bookCourse,
  type Course,
  cancelCourse,
  getCourse,
  listBookedCourses,
  listCoursesOfSession,
} from '#contract/endpoints/courses.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertDivision, insertUserWithSession } from '#server/test/factories.ts'
import { createTestFolder } from '#server/test/import-folder.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, act } = await openTestOffice(['bookings', 'owner'])
const { db } = server

const EXTERNAL = { amount: 69, fee: 60, kind: 'external', freeWithAttendance: false }
const OWN = { amount: 54, fee: 45, kind: 'fee', priceOnceVerified: null }
const PRICES = { feeCents: 4500, externalFeeCents: 6000, energyFeeCents: 900, isFreeWithAttendance: true }

let last = 0
/** A new personnel number, which is on the HR list only if it is passed to `list`. */
const number = () => `HR-${++last}`
const list = (...numbers: string[]) =>
  act({ kind: 'save-eligible', rows: [{ personnelNumber: 'HR-0' }, ...numbers.map(one => ({ personnelNumber: one }))] })
const claim = (values: object = {}) =>
  insertUserWithSession(db, { employeeStatus: EMPLOYEE_STATUS.Employee, billingType: 1, ...values })
const book = async (token: string, id: number) => (await server.request(bookCourse, { token, body: { id } })).body
const bookedPrice = async (token: string) => (await server.request(listBookedCourses, { token })).body[0]?.price
const mailOf = async (webUserId: number, kind: string) =>
  (
    await db.one<{ payload: object }>(
      sql`select payload from mails where web_user_id = ${webUserId} and kind = ${kind}`,
    )
  ).payload
const stored = (webUserId: number) =>
  db.one<{ cents: number; rule: string }>(sql`
    select price_cents as cents, price_rule as rule from bookings where web_user_id = ${webUserId} order by id desc limit 1`)

test.each(Object.values(EMPLOYEE_STATUS).filter(status => status !== EMPLOYEE_STATUS.External))(
  'an unverified person in group %s agrees to the external price and sees the price once verified',
  async employeeStatus => {
    await list()
    const course = await insertCourse(db, PRICES)
    const person = await claim({ employeeStatus, personnelNumber: number() })
    const { token } = person
    const offered = (await server.request(getCourse, { token, params: { id: course.id } })).body
    const states = (await server.request(listCoursesOfSession, { token, query: { view: 'states' } })).body as Course[]
    const answered = await book(token, course.id)
    const seen = [offered, states.find(({ id }) => id === course.id), answered].map(each => each?.price)
    const expected = { ...EXTERNAL, energyFee: 9, waived: false, priceOnceVerified: 54 }
    expect([...seen, await bookedPrice(token)]).toEqual(Array(4).fill(expected))
    expect(await stored(person.id)).toEqual({ cents: 6000, rule: 'external' })
    expect(await mailOf(person.id, 'booking')).toMatchObject({
      priceCents: 6000,
      priceCentsOnceVerified: 4500,
      freeWithAttendance: false,
    })

    expect(await act({ kind: 'verify-person', webUserId: person.id })).toMatchObject({ status: 'Ok' })
    expect(await bookedPrice(token)).toMatchObject(OWN)
    expect(await stored(person.id)).toEqual({ cents: 4500, rule: 'fee' })
  },
)

test('without an HR list, the self-declared status determines the price', async () => {
  await db.execute(sql`delete from eligible_people`)
  const course = await insertCourse(db, PRICES)
  const person = await claim({ personnelNumber: number() })
  expect((await book(person.token, course.id)).price).toMatchObject(OWN)
})

test('an unverified person may join the waiting list and gets both prices on promotion', async () => {
  await list()
  const course = await insertCourse(db, { ...PRICES, capacity: 1 })
  const [first, second] = [await claim(), await claim()]
  await book(first.token, course.id)
  expect(await book(second.token, course.id)).toMatchObject({ status: 'Ok', bookingStatus: 2, price: EXTERNAL })
  await server.request(cancelCourse, { token: first.token, body: { id: course.id } })
  const told = { priceCents: 6000, priceCentsOnceVerified: 4500, freeWithAttendance: false }
  expect(await mailOf(second.id, 'promotion')).toMatchObject(told)
  await act({ kind: 'verify-person', webUserId: second.id })
  expect(await bookedPrice(second.token)).toMatchObject({ ...OWN, freeWithAttendance: true })
})

const WAYS: Record<string, (person: { id: number; token: string }, own: string) => Promise<unknown>> = {
  'the HR list': (_, own) => list(own),
  'an own correction of the number': async ({ token }) => {
    const right = number()
    await list(right)
    const { message, status, ...profile } = (await server.request(getWebUser, { token })).body
    const { id: divisionId } = await insertDivision(db)
    const own = {
      employeeStatus: 1,
      billingType: 1,
      divisionId,
      department: 'A',
      location: 'B',
      companyAddress: 'C',
    } as const
    const body = { ...profile, ...own, personnelNumber: right } as ProfileRequest
    expect((await server.request(editWebUser, { token, body })).body).toMatchObject({ status: 'Ok' })
  },
  'a correction by the desk': async ({ id }) => {
    const right = number()
    await list(right)
    await act({ kind: 'change-person', webUserId: id, personnelNumber: right })
  },
  'an import': async ({ id }, own) => {
    const { email } = await db.one<{ email: string }>(sql`select email from web_users where id = ${id}`)
    const folder = await createTestFolder({
      'users.csv': `email,familyName,employeeStatus,personnelNumber\n${email},Muster,1,${own}\n`,
    })
    expect(await importProgramme(db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })
    await folder.remove()
  },
  'merging with a verified account': async ({ id }, own) => {
    const other = await claim({ personnelNumber: own, knownAt: new Date() })
    await act({ kind: 'merge-people', webUserId: other.id, intoWebUserId: id })
  },
}
test.each(Object.entries(WAYS))('%s lowers the agreed price, and only once', async (_, verify) => {
  await list()
  const course = await insertCourse(db, PRICES)
  const own = number()
  const person = await claim({ personnelNumber: own })
  await book(person.token, course.id)
  await db.execute(sql`update courses set fee_cents = 9900 where id = ${course.id}`)
  await verify(person, own)
  expect(await bookedPrice(person.token)).toMatchObject({ ...OWN, freeWithAttendance: true })
})

test('verification raises no price and leaves ended bookings and those of another group unchanged', async () => {
  await list()
  const cheaper = await insertCourse(db, { ...PRICES, externalFeeCents: 3000 })
  const ended = await insertCourse(db, PRICES)
  const asGuest = await insertCourse(db, PRICES)
  const person = await insertUserWithSession(db, { employeeStatus: EMPLOYEE_STATUS.External, billingType: 3 })
  await book(person.token, asGuest.id)
  await db.execute(sql`update web_users set employee_status = 1, billing_type = 1 where id = ${person.id}`)
  expect((await book(person.token, cheaper.id)).price).toMatchObject({ fee: 30, priceOnceVerified: 39 })
  await book(person.token, ended.id)
  await act({ kind: 'cancel-booking', courseId: ended.id, webUserId: person.id, charge: 'full', reason: 'x' })
  await act({ kind: 'verify-person', webUserId: person.id })
  const prices = await db.query(sql`
    select course_id as id, price_cents as cents, price_rule as rule from bookings where web_user_id = ${person.id} order by course_id`)
  expect(prices).toEqual([
    { id: cheaper.id, cents: 3000, rule: 'fee' },
    { id: ended.id, cents: 6000, rule: 'external' },
    { id: asGuest.id, cents: 6000, rule: 'external' },
  ])
})

test('declaring another status for one booking does not lower its price', async () => {
  await list()
  const course = await insertCourse(db, PRICES)
  const { id, token } = await insertUserWithSession(db, { employeeStatus: EMPLOYEE_STATUS.External, billingType: 3 })
  const call = (employeeStatus: number, personnelNumber: string) =>
    db.execute(sql`
      update web_users set employee_status = ${employeeStatus}, personnel_number = ${personnelNumber} where id = ${id}`)
  await call(EMPLOYEE_STATUS.Apprentice, 'invented')
  await book(token, course.id)
  await call(EMPLOYEE_STATUS.External, '')
  await act({ kind: 'verify-person', webUserId: id })
  expect(await bookedPrice(token)).toMatchObject(EXTERNAL)
})

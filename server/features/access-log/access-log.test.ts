import { expect, test } from 'vitest'
import {
  getOfficeCourse,
  listOfficeCourses,
  listOfficePeople,
  listOwnReads,
  listRecord,
  listRights,
} from '#contract/office/office.ts'
import type { Right } from '#contract/values.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

const insertHolder = async (right: Right) => (await insertOfficer(server, [right])).token

test('participants of a course are shown with the bookings permission, and each participant can see the access', async () => {
  const course = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await insertBooking(server.db, course.id, first.id)
  await insertBooking(server.db, course.id, second.id)
  const see = async (right: Right) =>
    (await server.request(getOfficeCourse, { params: { id: course.id }, token: await insertHolder(right) })).body
  expect(await see('programme')).toMatchObject({ version: 1, booked: [], waiting: [], lessons: { length: 3 } })
  const reads = async () => (await server.request(listOwnReads, { token: first.token })).body.items
  expect(await reads()).toEqual([])
  expect(await see('bookings')).toMatchObject({
    booked: [{ webUserId: first.id }],
    waiting: [{ webUserId: second.id }],
  })
  expect(await reads()).toMatchObject([{ by: 'bookings', call: 'getOfficeCourse' }])
})

test('lists are paginated', async () => {
  const token = await insertHolder('programme')
  for (const _ of [1, 2, 3]) await insertCourse(server.db)
  const first = await server.request(listOfficeCourses, { query: { limit: '2' }, token })
  expect(first.body.items).toHaveLength(2)
  const next = await server.request(listOfficeCourses, { query: { limit: '500', after: first.body.next ?? '' }, token })
  expect(next.body).toMatchObject({ next: null })
  expect(next.body.items.length).toBeGreaterThan(0)
  expect((await server.request(listOfficeCourses, { query: { limit: '501' }, token })).status).toBe(400)
})

test('a cursor that is not an id is rejected instead of returning the first page', async () => {
  const token = await insertHolder('owner')
  for (const list of [listRecord, listRights, listOwnReads]) {
    const { status, body } = await server.request(list, { query: { after: 'zzz' }, token })
    expect([list.path, status, JSON.stringify(body)]).toEqual([list.path, 400, expect.stringContaining('after')])
    expect((await server.request(list, { query: { after: '9'.repeat(20) }, token })).status).toBe(200)
  }
})

test('an owner finds people by name and e-mail address only', async () => {
  const person = await insertUserWithSession(server.db, { familyName: 'Suchmich', personnelNumber: '4711' })
  const find = async (right: Right, q: string) =>
    (await server.request(listOfficePeople, { query: { q }, token: await insertHolder(right) })).body.items
  expect(await find('owner', 'suchm')).toEqual([{ id: person.id, name: 'Kim Suchmich', email: person.email }])
  expect(await find('bookings', '4711')).toMatchObject([{ id: person.id, personnelNumber: '4711', isVerified: false }])
})

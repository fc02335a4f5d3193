import { expect, test } from 'vitest'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getOfficeCourse, listOwnReads } from '#contract/office/office.ts'
import { getOfficeBooking, getOfficeList, getOfficePerson, listOfficeBookings } from '#contract/office/people.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken } from '#server/platform/http/token.ts'
import { dateFromNow, insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['owner', 'bookings'], { isPasskeyRequired: false })
const { db } = server

const token = createToken()
await office.actAsPreviewed({
  kind: 'create-token',
  name: 'Lohn',
  token,
  scopes: ['lists'],
  expiresOn: dateFromNow(30),
})
const headers = { Authorization: `Bearer ${token}` }

const course = await insertCourse(db, { capacity: 50 })
const bookingIdOf = async (webUserId: number) =>
  (await db.one<{ id: number }>(sql`select id from bookings where web_user_id = ${webUserId}`)).id
async function book(): Promise<{ id: number; webUserId: number; token: string }> {
  const person = await insertUserWithSession(db)
  await insertBooking(db, course.id, person.id)
  return { id: await bookingIdOf(person.id), webUserId: person.id, token: person.token }
}
/** Resolves when all transactions are done that were open at the call, also those of other databases of the cluster. */
async function settle() {
  const { xmax } = await db.one<{ xmax: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as xmax`)
  const isOver = async () =>
    (
      await db.one<{ isOver: boolean }>(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${xmax}::xid8 as "isOver"`)
    ).isOver
  await expect.poll(isOver, { timeout: 10_000 }).toBe(true)
}
/** Follows the cursor until the list is read to its end. */
async function readFrom(changedSince?: string) {
  const seen: number[] = []
  let page: ResponseOf<typeof listOfficeBookings> | null = null
  do {
    const query: Record<string, string> = {
      limit: '2',
      ...(changedSince && { changedSince }),
      ...(page?.next && { after: page.next }),
    }
    page = (await server.request(listOfficeBookings, { query, headers })).body
    seen.push(...page.items.map(({ bookingId }) => bookingId))
  } while (page.next !== null)
  return { seen, cursor: page.cursor }
}

test('a cursor beyond the range of transactions or ids is rejected', async () => {
  for (const after of ['1.18446744073709551616.1', '1.1.9223372036854775808'])
    expect((await server.request(listOfficeBookings, { query: { after }, headers })).status).toBe(400)
  const after = '1.9999999999999999999.999999999999999'
  expect((await server.request(listOfficeBookings, { query: { after }, headers })).status).toBe(200)
})

test('an API client reads all bookings in pages, then the changes', async () => {
  const [first, second, third] = [await book(), await book(), await book()]
  await settle()
  const { seen, cursor } = await readFrom()
  expect(seen).toEqual([first.id, second.id, third.id])
  expect((await readFrom(cursor)).seen).toEqual([])
  await db.execute(sql`update bookings set cancelled_at = clock_timestamp() where id = ${first.id}`)
  const fourth = await book()
  await settle()
  const changed = await readFrom(cursor)
  expect(changed.seen).toEqual([first.id, fourth.id])
  const { body } = await server.request(getOfficeBooking, { params: { id: first.id }, headers })
  expect(body).toMatchObject({ bookingId: first.id, courseId: course.id, webUserId: first.webUserId, bookingStatus: 0 })
  expect(body.endedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  // A cursor of another cluster: the transactions are not comparable.
  expect((await readFrom(cursor.replace(/^\d+/, '1'))).seen).toContain(second.id)
})

test('a booking committed late is not skipped', async () => {
  await settle()
  const { cursor } = await readFrom()
  const early = await insertUserWithSession(db)
  let late = 0
  let between = cursor
  const { seen } = await db.transaction(async tx => {
    await insertBooking(tx, course.id, early.id)
    const other = await insertCourse(db)
    const person = await insertUserWithSession(db)
    await insertBooking(db, other.id, person.id)
    late = await bookingIdOf(person.id)
    const read = await readFrom(cursor)
    between = read.cursor
    return read
  })
  await settle()
  const rest = await readFrom(between)
  expect([...seen, ...rest.seen].sort()).toEqual([await bookingIdOf(early.id), late].sort())
})

test('a person at the desk lists bookings by filters with names, the newest change first', async () => {
  const filtered = await insertCourse(db, { capacity: 2 })
  const [booked, ended, waiting] = [
    await insertUserWithSession(db),
    await insertUserWithSession(db),
    await insertUserWithSession(db),
  ]
  for (const { id } of [booked, ended]) await insertBooking(db, filtered.id, id)
  await insertBooking(db, filtered.id, waiting.id)
  await db.execute(
    sql`update bookings set cancelled_at = clock_timestamp(), booked_at = booked_at - interval '2 days' where web_user_id = ${ended.id}`,
  )
  const list = async (filters: Record<string, string>) => {
    const query = { courseId: String(filtered.id), newest: '1' as const, limit: '2', ...filters } as never
    const first = (await server.request(listOfficeBookings, { query, token: office.token })).body
    if (first.next === null) return first.items
    const after = { ...(query as object), after: first.next } as never
    const second = (await server.request(listOfficeBookings, { query: after, token: office.token })).body
    expect(second.next).toBeNull()
    return [...first.items, ...second.items]
  }
  const idsOf = async (filters: Record<string, string>) => (await list(filters)).map(({ webUserId }) => webUserId)
  expect(await idsOf({})).toEqual([ended.id, waiting.id, booked.id])
  expect(await idsOf({ state: 'booked' })).toEqual([booked.id])
  expect(await idsOf({ state: 'waiting' })).toEqual([waiting.id])
  expect(await idsOf({ state: 'ended' })).toEqual([ended.id])
  expect(await idsOf({ from: dateFromNow(-1) })).toEqual([waiting.id, booked.id])
  expect(await idsOf({ to: dateFromNow(-1) })).toEqual([ended.id])
  expect(await idsOf({ seasonId: '999999' })).toEqual([])
  const [row] = await list({ state: 'booked' })
  expect(row).toMatchObject({ name: expect.stringMatching(/\S/), number: expect.any(String) })
  await settle()
  const { items } = (await server.request(listOfficeBookings, { query: { courseId: String(filtered.id) }, headers }))
    .body
  expect(items.map(({ webUserId }) => webUserId)).toEqual([booked.id, waiting.id, ended.id])
  expect(items.some(item => 'name' in item || 'courseName' in item)).toBe(false)
})

test('ids of a webhook give access to billing data only', async () => {
  const booking = await book()
  await db.execute(
    sql`update web_users set bkk_number = 'A123456789', private_phone = '0511 123' where id = ${booking.webUserId}`,
  )
  const person = await server.request(getOfficePerson, { params: { id: booking.webUserId }, headers })
  expect(person.body).toMatchObject({ id: booking.webUserId, payer: { personnelNumber: expect.any(String) } })
  const shown = await server.request(getOfficeCourse, { params: { id: course.id }, headers })
  expect(shown.body).toMatchObject({ course: { id: course.id }, booked: [], waiting: [], former: [] })
  await settle()
  const page = await server.request(listOfficeBookings, { query: { limit: '500' }, headers })
  for (const { body } of [person, shown, page]) expect(JSON.stringify(body)).not.toMatch(/A123456789|0511 123/)
  const reads = await server.request(listOwnReads, { token: booking.token })
  expect(reads.body.items.map(({ by, call }) => `${by} ${call}`)).toEqual(
    expect.arrayContaining(['Lohn getOfficePerson', 'Lohn listOfficeBookings']),
  )
  const list = await server.request(getOfficeList, { params: { file: 'bookings.csv' }, headers })
  const [head, ...rows] = Buffer.from(list.body).toString().split('\r\n')
  expect(head).toMatch(/;bookingId;courseId;webUserId$/)
  expect(rows.some(row => row.endsWith(`;${booking.id};${course.id};${booking.webUserId}`))).toBe(true)
})

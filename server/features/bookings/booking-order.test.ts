import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import {
  getBookingOrder,
  getBookingOrderHashes,
  getOwnRequest,
  type OwnRequest,
} from '#contract/endpoints/booking-order.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  daysFromNow,
  insertBooking,
  insertCourse,
  insertSeason,
  insertUserWithSession,
  updateCourse,
} from '#server/test/factories.ts'
import { leafHash, rootOf } from '#server/test/merkle-path.ts'
import { openTestOffice } from '#server/test/office.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { merklePath, merkleRoot } from './booking-order-rules.ts'

const { server, ...office } = await openTestOffice(['programme', 'bookings'])
const { db } = server

const hex = (text: string) => Buffer.from(text, 'hex')

test('roots are those of the reference data for certificate transparency, and every path leads to the root', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const hashes = leaves.map(leaf => leafHash(hex(leaf)))
  expect(merkleRoot(hashes.slice(0, 1)).toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
  expect(merkleRoot(hashes.slice(0, 7)).toString('hex')).toBe(
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  )
  expect(merkleRoot(hashes).toString('hex')).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
  for (let size = 1; size <= 33; size += 1) {
    const some = Array.from({ length: size }, (_, index) => leafHash(`${index}`))
    const root = merkleRoot(some)
    for (const [index, hash] of some.entries()) expect(rootOf(hash, index, size, merklePath(some, index))).toEqual(root)
  }
})

/** A season with two courses and a published order. */
async function publish() {
  const { id: seasonId } = await insertSeason(db)
  const [{ id: courseId }, { id: otherId }] = [
    await insertCourse(db, { seasonId, capacity: 2 }),
    await insertCourse(db, { seasonId }),
  ]
  const people = await Promise.all(Array.from({ length: 5 }, () => insertUserWithSession(db, { passwordHash })))
  for (const { id } of people) await insertBooking(db, courseId, id)
  for (const { id } of people.slice(0, 3)) await insertBooking(db, otherId, id)
  expect(await office.actAsPreviewed({ kind: 'publish-booking-order', seasonId })).toMatchObject({ status: 'Ok' })
  return {
    seasonId,
    courseId,
    otherId,
    people,
  }
}

const findRequest = async (courseId: number, token: string): Promise<OwnRequest> => {
  const { request } = (await server.request(getOwnRequest, { params: { id: courseId }, token })).body as {
    request: OwnRequest | null
  }
  if (request === null) throw new Error('there is no request')
  return request
}
const order = async (seasonId: number) => (await server.request(getBookingOrder, { params: { seasonId } })).body
/** Findings about the order of a course; the test has inserted bookings without their e-mails. */
async function orderFindings(courseId: number): Promise<string[]> {
  const { number } = await db.one<{ number: string }>(sql`select number from courses where id = ${courseId}`)
  return (await auditPortal(db)).findings.filter(line => line.startsWith(`course ${number}:`) && / order /.test(line))
}

test('each person reads their number and proves it against the published order, which is published once', async () => {
  const { seasonId, courseId, people } = await publish()
  const published = await order(seasonId)
  const late = await insertUserWithSession(db)
  await insertBooking(db, courseId, late.id)
  expect(published).toMatchObject({
    seasonId,
    courses: [{ courseId, requests: 5, places: 2 }, { requests: 3 }],
  })
  const course = published.courses[0]
  for (const [index, { token }] of people.entries()) {
    const request = await findRequest(courseId, token)
    expect(request).toMatchObject({ number: index + 1, requests: 5, places: 2 })
    expect(request.proof?.leaf).toMatch(new RegExp(`^${courseId}\\|${index + 1}\\|${request.askedAt}\\|[-0-9a-f]{36}$`))
    const root = rootOf(leafHash(request.proof?.leaf ?? ''), index, 5, request.proof?.path.map(hex) ?? [])
    expect(root.toString('hex')).toBe(course?.root)
  }
  expect(await findRequest(courseId, late.token)).toMatchObject({ number: 6, requests: 6, proof: null })
  const hashes = new TextDecoder()
    .decode((await server.request(getBookingOrderHashes, { params: { seasonId } })).body)
    .trim()
    .split('\n')
  const own = hashes.map(line => line.split(' ')).filter(([id]) => id === String(courseId))
  expect(merkleRoot(own.map(([, , hash = '']) => hex(hash))).toString('hex')).toBe(course?.root)
  expect(await office.act({ kind: 'publish-booking-order', seasonId })).toMatchObject({ status: 'Failed' })
  expect(await orderFindings(courseId)).toEqual([])
})

test('without requests there is no order, and without a publication no proof', async () => {
  const { id: seasonId } = await insertSeason(db)
  const { id: courseId } = await insertCourse(db, { seasonId })
  expect(await office.act({ kind: 'publish-booking-order', seasonId })).toMatchObject({ status: 'Failed' })
  expect((await server.request(getBookingOrder, { params: { seasonId } })).status).toBe(404)
  expect((await server.request(getBookingOrderHashes, { params: { seasonId } })).status).toBe(404)
  const { id, token } = await insertUserWithSession(db)
  expect((await server.request(getOwnRequest, { params: { id: courseId }, token })).body).toEqual({ request: null })
  await insertBooking(db, courseId, id)
  expect(await findRequest(courseId, token)).toMatchObject({ number: 1, requests: 1, proof: null })
})

test.each([
  [
    'two bookings',
    (courseId: number) => [
      sql`update bookings set seq = -seq where course_id = ${courseId} and seq in (2, 3)`,
      sql`update bookings set seq = 5 + seq where course_id = ${courseId} and seq < 0`,
    ],
  ],
  [
    'two hashes',
    (courseId: number) => [
      sql`update booking_order_leaves set number = -number where course_id = ${courseId} and number in (2, 3)`,
      sql`update booking_order_leaves set number = 5 + number where course_id = ${courseId} and number < 0`,
    ],
  ],
  [
    'the time of a booking',
    (courseId: number) => [
      sql`update bookings set booked_at = booked_at - interval '1 minute' where course_id = ${courseId} and seq = 2`,
    ],
  ],
])('the audit finds an order that has been changed: %s', async (_, changesOf) => {
  const { courseId } = await publish()
  expect(await orderFindings(courseId)).toEqual([])
  for (const change of changesOf(courseId)) await db.execute(change)
  expect(await orderFindings(courseId)).not.toEqual([])
})

test('who is merged keeps the earlier request, and who is deleted leaves a hash without a time', async () => {
  const { courseId, otherId, seasonId, people } = await publish()
  const [first, , third] = people
  if (!first || !third) throw new Error('there are five people')
  const before = await findRequest(courseId, first.token)
  expect(await office.act({ kind: 'merge-people', webUserId: first.id, intoWebUserId: third.id })).toMatchObject({
    status: 'Ok',
  })
  expect(await findRequest(courseId, third.token)).toEqual(before)
  expect(await orderFindings(courseId)).toEqual([])
  const published = await order(seasonId)
  for (const id of [courseId, otherId]) await updateCourse(db, id, { closesAt: daysFromNow(-1) })
  const removed = await server.request(deleteAccount, { body: { password: PASSWORD }, token: third.token })
  expect(removed.body).toMatchObject({ status: 'Ok' })
  expect(await order(seasonId)).toEqual(published)
  expect(
    await db.query(
      sql`select booking_id, asked_at, token from booking_order_leaves where course_id = ${courseId} and number = 1`,
    ),
  ).toEqual([{ booking_id: null, asked_at: null, token: null }])
  expect(await orderFindings(courseId)).toEqual([])
})

test('the audit finds an order that differs from the one in the audit log', async () => {
  const { otherId } = await publish()
  await db.execute(
    sql`update booking_order_leaves set hash = sha256('x'::bytea), token = null where course_id = ${otherId}`,
  )
  const { hash } = await db.one<{ hash: string }>(sql`select encode(sha256('x'::bytea), 'hex') as hash`)
  const root = merkleRoot([hash, hash, hash].map(hex)).toString('hex')
  await db.execute(sql`update booking_orders set root = decode(${root}, 'hex') where course_id = ${otherId}`)
  expect(await orderFindings(otherId)).toEqual([])
  expect(
    (await auditPortal(db)).findings.filter(line => line.endsWith('the order is not the one in the audit log')),
  ).toHaveLength(1)
})

// @module-tag extended
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookCourse, type Course, cancelCourse, listCourses } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertSeason, insertUserWithSession } from '#server/test/factories.ts'
import { leafHash, rootOf } from '#server/test/merkle-path.ts'
import { type ServerProcess, startServerProcess } from '#server/test/process.ts'
import { findOrder, findOwnRequest, publishOrder } from './booking-order-service.ts'

function fail(): never {
  throw new Error('there is no request')
}

const { Booked, Waitinglist } = BOOKING_STATUS
const CAPACITY = 15
const PEOPLE = 64

let servers: [ServerProcess, ServerProcess]
const database = await openTestDatabase()
beforeAll(async () => {
  servers = await Promise.all([startServerProcess(database.url), startServerProcess(database.url)])
})
afterEach(async () => expect((await auditPortal(database.db)).findings).toEqual([]))
afterAll(() => Promise.all(servers.map(server => server.stop())))

type Person = Awaited<ReturnType<typeof insertUserWithSession>>
const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => insertUserWithSession(database.db)))

/** Calls by turns through both servers. */
const call = (index: number, endpoint: typeof bookCourse | typeof cancelCourse, { token }: Person, id: number) =>
  servers[index % 2 === 0 ? 0 : 1].call(endpoint, token, { id })

type Row = { web_user_id: number; seq: number; state: number }
const activeBookings = (courseId: number) =>
  database.db.query<Row>(sql`
    select web_user_id, seq, state from bookings where course_id = ${courseId} and cancelled_at is null order by seq`)
const countersOf = (courseId: number) =>
  database.db.one<{ taken: number; booking_seq: number }>(
    sql`select taken, booking_seq from courses where id = ${courseId}`,
  )

test('64 concurrent bookings on two servers: 15 seats, 49 waiting-list entries in one order, 64 e-mails', async () => {
  const { id } = await insertCourse(database.db, { capacity: CAPACITY })
  const crowd = await people(PEOPLE)
  const answers = await Promise.all(crowd.map((person, index) => call(index, bookCourse, person, id)))

  const rows = await activeBookings(id)
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: PEOPLE }, (_, index) => index + 1))
  expect(rows.map(({ state }) => state)).toEqual(rows.map((_, index) => (index < CAPACITY ? Booked : Waitinglist)))
  rows.forEach((row, index) => {
    const answer = answers[crowd.findIndex(person => person.id === row.web_user_id)]
    const position = Math.max(0, index + 1 - CAPACITY)
    expect(answer).toMatchObject({ status: 'Ok', bookingStatus: row.state, waitingListPosition: position })
  })
  const mails = await database.db.query<{ kind: string; count: number }>(sql`
    select kind, count(*) from mails where (payload ->> 'courseId')::int = ${id} group by kind order by kind`)
  expect(mails).toEqual([
    { kind: 'booking', count: CAPACITY },
    { kind: 'waiting-list', count: PEOPLE - CAPACITY },
  ])
})

test('concurrent bookings and cancellations lose, duplicate and overbook nothing', async () => {
  const { id } = await insertCourse(database.db, { capacity: 5 })
  const crowd = await people(24)
  const rounds = crowd.map(async (person, index) => {
    for (let round = 0; round < 4; round += 1) {
      const booked = await call(index + round, bookCourse, person, id)
      expect(booked.status).toBe('Ok')
      // A third of the people remain booked.
      if (round === 3 && index % 3 === 0) return
      const cancelled = await call(index + round + 1, cancelCourse, person, id)
      expect(cancelled).toMatchObject({ status: 'Ok', bookingStatus: BOOKING_STATUS.NotBooked })
    }
  })
  await Promise.all(rounds)
  const rows = await activeBookings(id)
  expect(rows).toHaveLength(8)
  expect(rows.map(({ state }) => state)).toEqual([1, 1, 1, 1, 1, 2, 2, 2])
  expect(await countersOf(id)).toEqual({ taken: 8, booking_seq: 96 })
  const { promoted, mailed } = await database.db.one<{ promoted: number; mailed: number }>(sql`
    select (select count(*) from bookings where course_id = ${id} and promoted_at is not null) as promoted,
      (select count(*) from mails where kind = 'promotion' and (payload ->> 'courseId')::int = ${id}) as mailed`)
  expect(mailed).toBe(promoted)
})

test('concurrent requests of one person to both servers book once', async () => {
  const { id } = await insertCourse(database.db)
  const [person] = (await people(1)) as [Person]
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => call(index, bookCourse, person, id)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 'Ok', bookingStatus: Booked, currentBooked: 1 })
  expect(await activeBookings(id)).toHaveLength(1)
  expect(await countersOf(id)).toEqual({ taken: 1, booking_seq: 1 })
})

test('a booking acknowledged by one server is in the next list of the other', async () => {
  const { id } = await insertCourse(database.db)
  for (const [index, person] of (await people(6)).entries()) {
    const { currentBooked } = await call(index, bookCourse, person, id)
    const list = (await servers[index % 2 === 0 ? 1 : 0].call(listCourses, person.token)) as Course[]
    expect(list.find(course => course.id === id)?.currentBooked).toBe(currentBooked)
  }
})

test('each of 10,000 requests at two servers, one of which is killed, has its provable number in the published order', {
  timeout: 300_000,
}, async () => {
  const { id: seasonId } = await insertSeason(database.db)
  const courses = await Promise.all(Array.from({ length: 50 }, () => insertCourse(database.db, { seasonId })))
  const crowd = await people(200)
  const requests = courses.flatMap(course => crowd.map(person => ({ course, person })))
  const acknowledged = new Map<string, number>()
  let next = 0
  let isKilled = false
  const work = async () => {
    for (let index = next++; index < requests.length; index = next++) {
      const { course, person } = requests[(index * 7919) % requests.length] ?? requests[0] ?? fail()
      if (index > requests.length * 0.4 && !isKilled) {
        isKilled = true
        await servers[1].kill()
        servers[1] = await startServerProcess(database.url)
      }
      // Whoever gets no response asks the other server.
      const answer = await call(index, bookCourse, person, course.id).catch(() =>
        call(0, bookCourse, person, course.id),
      )
      expect(answer.status).toBe('Ok')
      acknowledged.set(`${course.id} ${person.id}`, answer.waitingListPosition)
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  expect(acknowledged.size).toBe(10_000)
  expect(await database.db.transaction(tx => publishOrder(tx, seasonId))).toMatchObject({ requests: 10_000 })
  const roots = new Map((await findOrder(database.db, seasonId))?.courses.map(({ courseId, root }) => [courseId, root]))
  for (const { course, person } of requests) {
    const { number, proof } = (await findOwnRequest(database.db, course.id, person.id)) ?? fail()
    const path = proof?.path.map(hash => Buffer.from(hash, 'hex')) ?? []
    expect(rootOf(leafHash(proof?.leaf ?? ''), number - 1, crowd.length, path).toString('hex')).toBe(
      roots.get(course.id),
    )
  }
  const swap = sql`
    update bookings b set seq = -o.seq from bookings o where b.course_id = ${courses[7]?.id} and o.course_id = b.course_id and
      (b.seq, o.seq) in ((20, 21), (21, 20))`
  const turn = sql`update bookings set seq = -seq where seq < 0`
  for (const change of [swap, turn]) await database.db.execute(change)
  expect((await auditPortal(database.db)).findings).toContainEqual(
    expect.stringMatching(/request 21 of the published order/),
  )
  for (const change of [swap, turn]) await database.db.execute(change)
})

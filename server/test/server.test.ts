import { expect, test } from 'vitest'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { getDateTime, getHealth } from '#contract/endpoints/system.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertBooking, insertCourse, insertInstructor, insertUserWithSession } from './factories.ts'
import { openTestServer } from './server.ts'

const server = await openTestServer()

test('uses a separate database', async () => {
  expect(await server.request(getHealth)).toMatchObject({ status: 200, body: { status: 'Ok' } })
  expect((await server.request(getDateTime)).body.year).toBeGreaterThan(2025)
})

test('rejects a protected call without a session, in the requested language', async () => {
  const answer = await server.request(listBookedCourses, { language: 'en' })
  expect(answer).toMatchObject({ status: 401, body: { status: 'Failed', message: expect.stringContaining('log in') } })
})

test('fills a course in the order of its bookings, and puts the others on the waiting list', async () => {
  const { email } = await insertInstructor(server.db)
  const course = await insertCourse(server.db, { capacity: 1, instructorEmails: [email] })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await insertBooking(server.db, course.id, first.id)
  await insertBooking(server.db, course.id, second.id)
  expect(await server.db.query(sql`select web_user_id, state from bookings order by seq`)).toEqual([
    { web_user_id: first.id, state: BOOKING_STATUS.Booked },
    { web_user_id: second.id, state: BOOKING_STATUS.Waitinglist },
  ])
})

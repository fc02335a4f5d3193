import { expect, test } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, act } = await openTestOffice(['bookings'])

test('booking and cancelling one course repeatedly delays the next booking but never a cancellation', async () => {
  const { id, token } = await insertUserWithSession(server.db)
  const [course, other] = [await insertCourse(server.db), await insertCourse(server.db)]
  const book = async (courseId = course.id) =>
    (await server.request(bookCourse, { body: { id: courseId }, token, language: 'de' })).body
  const cancel = async () => (await server.request(cancelCourse, { body: { id: course.id }, token })).body
  const mails = async () =>
    (await server.db.one<{ count: number }>(sql`select count(*)::int as count from mails where web_user_id = ${id}`))
      .count
  for (let round = 1; round <= 5; round++) {
    expect(await book()).toMatchObject({ status: 'Ok', bookingStatus: 1 })
    expect(await cancel()).toMatchObject({ status: 'Ok', bookingStatus: 0 })
  }
  expect(await book()).toMatchObject({
    status: 'Failed',
    bookingStatus: 0,
    message: expect.stringContaining('In 60 Minuten können Sie ihn wieder buchen'),
  })
  expect(await mails()).toBe(10)
  expect(await book(other.id)).toMatchObject({ status: 'Ok' })

  const grow = (minutes: number) =>
    server.db.execute(sql`
      update bookings set booked_at = booked_at - ${minutes} * interval '1 minute',
        cancelled_at = cancelled_at - ${minutes} * interval '1 minute' where course_id = ${course.id}`)
  await grow(59)
  expect((await book()).message).toContain('In 1 Minute ')
  await grow(1)
  expect(await book()).toMatchObject({ status: 'Ok', bookingStatus: 1 })
  expect(await cancel()).toMatchObject({ status: 'Ok', bookingStatus: 0 })
})

test('bookings and cancellations by the department are not included in the limit for repeated bookings', async () => {
  const { id, token } = await insertUserWithSession(server.db)
  const course = await insertCourse(server.db)
  const place = { courseId: course.id, webUserId: id }
  const own = async () => (await server.request(bookCourse, { body: { id: course.id }, token })).body
  const leave = async () => (await server.request(cancelCourse, { body: { id: course.id }, token })).body
  for (let round = 1; round <= 5; round++) {
    await act({ kind: 'book', ...place })
    await act({ kind: 'book', ...place })
    await act({ kind: 'cancel-booking', ...place, charge: 'none' })
  }
  for (let round = 1; round <= 5; round++) {
    expect(await own()).toMatchObject({ status: 'Ok', bookingStatus: 1 })
    expect(await leave()).toMatchObject({ status: 'Ok', bookingStatus: 0 })
  }
  expect(await own()).toMatchObject({ status: 'Failed', code: 'booking.tooManyChanges' })
  expect(await act({ kind: 'book', ...place })).toMatchObject({ status: 'Ok', result: { bookingStatus: 1 } })
})

test('earlier bookings and cancellations by the department do not shorten the waiting time in the message', async () => {
  const { id, token } = await insertUserWithSession(server.db)
  const course = await insertCourse(server.db)
  const place = { courseId: course.id, webUserId: id }
  const book = async () => (await server.request(bookCourse, { body: { id: course.id }, token, language: 'de' })).body
  const grow = async (minutes: number) => {
    await server.db.execute(sql`
      update bookings set booked_at = booked_at - ${minutes} * interval '1 minute',
        cancelled_at = cancelled_at - ${minutes} * interval '1 minute' where course_id = ${course.id}`)
    await server.db.execute(sql`
      update office_record set line = jsonb_set(line::jsonb, '{at}', to_jsonb(to_char(
        (acted_at - ${minutes} * interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text`)
  }
  await server.db.execute(sql`alter table office_record disable trigger keep_record`)
  await act({ kind: 'book', ...place })
  await act({ kind: 'cancel-booking', ...place, charge: 'none' })
  await grow(30)
  for (let round = 1; round <= 5; round++) {
    await book()
    await server.request(cancelCourse, { body: { id: course.id }, token })
    await grow(2)
  }
  expect((await book()).message).toContain('In 50 Minuten ')
  await grow(49)
  expect((await book()).message).toContain('In 1 Minute ')
  await grow(1)
  expect(await book()).toMatchObject({ status: 'Ok', bookingStatus: 1 })
  await server.db.execute(sql`alter table office_record enable trigger keep_record`)
})

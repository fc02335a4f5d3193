import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer({}, 1)

/** Every statement that a call sends is one round trip: begin and commit are statements too. */
async function countRoundTrips(call: () => Promise<{ body: { status: string } }>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    expect((await call()).body.status).toBe('Ok')
    return sent.mock.calls.length
  } finally {
    sent.mockRestore()
  }
}

test('a booking, and a cancellation that promotes, take three database round trips each', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  const asked = (token: string) => ({ token, body: { id } })
  await server.request(bookCourse, asked(first.token))
  expect(await countRoundTrips(() => server.request(bookCourse, asked(second.token)))).toBe(3)
  expect(await countRoundTrips(() => server.request(cancelCourse, asked(first.token)))).toBe(3)

  const state = await server.db.query(
    sql`select kind, web_user_id = ${second.id} as "isSecond" from mails order by kind`,
  )
  expect(state).toEqual([
    { kind: 'booking', isSecond: false },
    { kind: 'cancellation', isSecond: false },
    { kind: 'promotion', isSecond: true },
    { kind: 'waiting-list', isSecond: true },
  ])
  expect((await server.request(listMessages, { token: second.token })).body).toHaveLength(1)
  expect(await countRoundTrips(() => server.request(cancelCourse, asked(second.token)))).toBe(3)
})

test('a person who joined the waiting list during a pending cancellation is promoted', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  const [first, second] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  await server.request(bookCourse, { token: first.token, body: { id } })
  const later = await server.database.openLater(0)
  const cancelled = await later.transaction(async tx => {
    await tx.execute(sql`select from courses where id = ${id} for update`)
    const answer = server.request(cancelCourse, { token: first.token, body: { id } })
    await vi.waitFor(async () => {
      const { waiting } = await tx.one<{ waiting: number }>(sql`
        select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      expect(waiting).toBe(1)
    }, 10_000)
    // The statements of a booking that is processed first.
    await tx.execute(sql`
      with course as (update courses set taken = taken + 1, booking_seq = booking_seq + 1 where id = ${id} returning booking_seq)
      insert into bookings (course_id, web_user_id, seq, state, price_cents)
      select ${id}, ${second.id}, booking_seq, ${BOOKING_STATUS.Waitinglist}::int, 0 from course`)
    return { answer }
  })
  expect((await cancelled.answer).body).toMatchObject({ status: 'Ok', currentBooked: 1, currentWaiting: 0 })
  expect(
    await server.db.one(sql`select web_user_id, state from bookings where course_id = ${id} and cancelled_at is null`),
  ).toEqual({ web_user_id: second.id, state: BOOKING_STATUS.Booked })
})

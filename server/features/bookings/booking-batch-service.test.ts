import { expect, test } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

test('concurrent external bookings fill the free seats, the others are rejected, and a freed seat is bookable immediately', async () => {
  const { id } = await insertCourse(server.db, { capacity: 2 })
  const people = await Promise.all(
    Array.from({ length: 150 }, () => insertUserWithSession(server.db, { employeeStatus: EMPLOYEE_STATUS.External })),
  )
  const ask = (token: string, endpoint: typeof bookCourse | typeof cancelCourse = bookCourse) =>
    server.request(endpoint, { token, body: { id } }).then(({ body }) => body)
  // A lock on the row makes many bookings read the course before the first one is stored.
  const answers = await server.db.transaction(async tx => {
    await tx.execute(sql`select from courses where id = ${id} for no key update`)
    const asked = people.map(({ token }) => ask(token))
    await server.database.untilWaiting(1)
    return { all: Promise.all(asked) }
  })
  const all = await answers.all
  expect(all.filter(({ status }) => status === 'Ok').map(({ bookingStatus }) => bookingStatus)).toEqual([1, 1])
  for (const answer of all.filter(({ status }) => status !== 'Ok'))
    expect(answer).toMatchObject({ obstacle: 'fullForExternals', message: answer.obstacleText, currentBooked: 2 })

  const [winner, loser] = ['Ok', 'Failed'].map(status => people[all.findIndex(answer => answer.status === status)])
  await ask(winner?.token ?? '', cancelCourse)
  expect(await ask(loser?.token ?? '')).toMatchObject({ status: 'Ok', bookingStatus: BOOKING_STATUS.Booked })
})

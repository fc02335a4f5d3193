import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookCourse, cancelCourse, getCourse } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertUserWithSession, updateCourse } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { promoteOrCloseWaitingList } from './waiting-list-service.ts'

const server = await openTestServer()
const people = await Promise.all(Array.from({ length: 6 }, () => insertUserWithSession(server.db)))

const step = fc.oneof(
  fc.record({ kind: fc.constant('book' as const), person: fc.nat(5) }),
  fc.record({ kind: fc.constant('cancel' as const), person: fc.nat(5) }),
  fc.record({ kind: fc.constant('capacity' as const), by: fc.integer({ min: -3, max: 3 }) }),
)

test('seats are assigned in the order of booking after any sequence of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(3), fc.array(step, { maxLength: 25 }), async (initialCapacity, steps) => {
      const { id } = await insertCourse(server.db, { capacity: initialCapacity })
      let capacity = initialCapacity
      /** the model: indexes of booked and waiting people, in order */
      let order: number[] = []
      for (const step of steps) {
        if (step.kind === 'capacity') {
          // An import never reduces the capacity below the number of bookings.
          capacity = Math.max(capacity + step.by, Math.min(order.length, capacity))
          await server.db.transaction(async tx => {
            await updateCourse(tx, id, { capacity })
            await promoteOrCloseWaitingList(tx, id, 'DE-NI')
          })
        } else {
          const endpoint = step.kind === 'book' ? bookCourse : cancelCourse
          const { body } = await server.request(endpoint, { body: { id }, token: people[step.person]?.token })
          expect(body.status).toBe('Ok')
          const others = order.filter(person => person !== step.person)
          if (step.kind === 'cancel') order = others
          else if (others.length === order.length) order.push(step.person)
        }
        // Avoids the limit for repeated bookings within an hour, which is not tested here.
        await server.db.execute(sql`
          update bookings set booked_at = booked_at - interval '1 hour', cancelled_at = cancelled_at - interval '1 hour'`)
        for (const [person, { token }] of people.entries()) {
          const index = order.indexOf(person)
          const { body } = await server.request(getCourse, { params: { id }, token })
          expect(body).toMatchObject({
            currentBooked: Math.min(order.length, capacity),
            currentWaiting: Math.max(0, order.length - capacity),
            waitingListPosition: Math.max(0, index + 1 - capacity),
            bookingStatus:
              index === -1
                ? BOOKING_STATUS.NotBooked
                : index < capacity
                  ? BOOKING_STATUS.Booked
                  : BOOKING_STATUS.Waitinglist,
          })
        }
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import { createApp } from '#server/app.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { daysFromNow, insertCourse, insertUserWithSession, updateCourse } from '#server/test/factories.ts'
import { openTestServer, type TestServer } from '#server/test/server.ts'
import { promoteOrCloseWaitingList } from './waiting-list-service.ts'

const PEOPLE = 8
let people: { id: number; token: string }[]
let pools: ReturnType<typeof openDatabase>[]
let apps: TestServer['app'][]
const server = await openTestServer()
beforeAll(async () => {
  people = await Promise.all(
    Array.from({ length: PEOPLE }, () => insertUserWithSession(server.db, { createdAt: daysFromNow(-30) })),
  )
  const { connection } = server.database
  pools = [0, 1].map(() => openDatabase({ connection, timeZone: 'Europe/Berlin', poolSize: PEOPLE }))
  apps = pools.map(db => createApp({ ...server.context, db }).app)
})
afterAll(async () => {
  for (const pool of pools) await pool.close()
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('book' as const), person: fc.nat(PEOPLE - 1), pool: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), person: fc.nat(PEOPLE - 1), pool: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('capacity' as const),
      by: fc.integer({ min: -2, max: 2 }),
      pool: fc.nat(1),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** An import never reduces the capacity below the number of bookings. */
const changeCapacity = (pool: number, id: number, by: number) =>
  pools[pool]?.transaction(async tx => {
    const course = await tx.one<{ capacity: number; taken: number }>(sql`
      select capacity, taken from courses where id = ${id} for update`)
    await updateCourse(tx, id, { capacity: Math.max(0, course.capacity + by, Math.min(course.taken, course.capacity)) })
    await promoteOrCloseWaitingList(tx, id, 'DE-NI')
  })

/** Avoids the limit for repeated bookings within an hour, which is not tested here. */
const letAnHourPass = (id: number) =>
  server.db.execute(sql`
    update bookings set booked_at = booked_at - interval '1 hour', cancelled_at = cancelled_at - interval '1 hour'
    where course_id = ${id}`)

async function call(step: Extract<Step, { person: number }>, id: number): Promise<void> {
  const endpoint = step.kind === 'book' ? bookCourse : cancelCourse
  const answer = await apps[step.pool]?.request(endpoint.path, {
    method: endpoint.method,
    headers: { SessionToken: people[step.person]?.token ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  expect(answer?.status).toBe(200)
  expect(await answer?.json()).toMatchObject({ status: 'Ok' })
}

test('concurrent calls on two servers never overbook, leave a seat free while people wait, or change the order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(3),
      fc.array(fc.array(step, { minLength: 2, maxLength: 10 }), { maxLength: 6 }),
      async (capacity, rounds) => {
        const { id } = await insertCourse(server.db, { capacity })
        for (const round of rounds) {
          await Promise.all(
            round.map(step => (step.kind === 'capacity' ? changeCapacity(step.pool, id, step.by) : call(step, id))),
          )
          expect((await auditPortal(server.db)).findings).toEqual([])
          await letAnHourPass(id)
        }
      },
    ),
    { numRuns: 30 },
  )
}, 120_000)

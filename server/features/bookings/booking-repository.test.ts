import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { listCountersWithViewers } from '#server/features/courses/view-repository.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { openPools } from '#server/platform/db/pools.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertWebUser } from '#server/test/factories.ts'
import { insertBooking, insertBookings, type NewBooking, type SoldOutResult } from './booking-repository.ts'

const { Booked, Waitinglist } = BOOKING_STATUS
const { db, connection } = await openTestDatabase()

const askFor = (courseId: number, webUserId: number, isExternal: boolean): NewBooking => ({
  courseId,
  webUserId,
  fee: { cents: 100, rule: isExternal ? 'external' : 'fee', energyCents: 0, onceVerifiedCents: null },
  employeeStatus: isExternal ? EMPLOYEE_STATUS.External : EMPLOYEE_STATUS.Employee,
  mayWait: !isExternal,
  mail: JSON.stringify({ courseId }),
})
const rowsOf = (courseId: number) =>
  db.query(sql`
    select web_user_id, seq, state, price_rule, employee_status from bookings where course_id = ${courseId} order by seq`)

test('batched bookings equal individual bookings', async () => {
  const crowd = fc.array(fc.record({ course: fc.nat(2), isExternal: fc.boolean() }), { minLength: 1, maxLength: 14 })
  const capacities = fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: 1, max: 5 })))
  await fc.assert(
    fc.asyncProperty(crowd, capacities, async (asked, capacity) => {
      const makeCourses = () => Promise.all(capacity.map(places => insertCourse(db, { capacity: places })))
      const [together, oneByOne] = [await makeCourses(), await makeCourses()]
      const people = await Promise.all(
        asked.map(({ isExternal }) =>
          insertWebUser(db, isExternal ? { employeeStatus: EMPLOYEE_STATUS.External } : {}),
        ),
      )
      const askIn = (courses: typeof together) =>
        asked.map(({ course, isExternal }, index) =>
          askFor(courses[course]?.id ?? 0, people[index]?.id ?? 0, isExternal),
        )
      // The number of waiting people is omitted: for a batch, it includes all bookings of the batch.
      const withoutCount = <Found>(found: Found | SoldOutResult) => (isSoldOut(found) ? 'sold out' : found)
      const isSoldOut = (found: unknown): found is SoldOutResult => (found as SoldOutResult | null)?.isSoldOut === true
      const expected: unknown[] = []
      for (const booking of askIn(oneByOne)) expected.push(withoutCount(await insertBooking(db, booking)))
      expect((await insertBookings(db, askIn(together))).map(withoutCount)).toEqual(expected)
      for (const [index, { id }] of together.entries())
        expect(await rowsOf(id)).toEqual(await rowsOf(oneByOne[index]?.id ?? 0))
    }),
    { numRuns: 25 },
  )
  expect((await auditPortal(db)).findings).toEqual([])
})

test('bookings of locked rows are left for retry, and the others are not delayed', async () => {
  const [locked, free] = [await insertCourse(db), await insertCourse(db)]
  const [first, second, third] = [await insertWebUser(db), await insertWebUser(db), await insertWebUser(db)]
  await db.transaction(async tx => {
    await tx.execute(sql`select from courses where id = ${locked.id} for no key update`)
    await tx.execute(sql`select from web_users where id = ${third.id} for update`)
    const answers = await insertBookings(db, [
      askFor(locked.id, first.id, false),
      askFor(free.id, second.id, false),
      askFor(free.id, third.id, false),
    ])
    expect(answers).toEqual(['left', { state: Booked, position: 0, taken: 1 }, 'left'])
  })
  expect(await rowsOf(locked.id)).toEqual([])
})

test('a person with an existing booking fails the whole batch, which is then retried individually', async () => {
  const { id } = await insertCourse(db, { capacity: 1 })
  const [first, second] = [await insertWebUser(db), await insertWebUser(db)]
  const asked = [askFor(id, first.id, false), askFor(id, second.id, false)]
  await insertBooking(db, asked[0] as NewBooking)
  expect(await insertBookings(db, asked)).toEqual(['left', 'left'])
  expect(await Promise.all(asked.map(booking => insertBooking(db, booking)))).toEqual([
    'known',
    { state: Waitinglist, position: 1, taken: 2 },
  ])
})

test('a person whose status has changed since pricing, or whose account was deleted, is not booked', async () => {
  const { id } = await insertCourse(db)
  const changed = await insertWebUser(db, { employeeStatus: EMPLOYEE_STATUS.Pensioner })
  const gone = await insertWebUser(db, { deletedAt: new Date() })
  const asked = [askFor(id, changed.id, false), askFor(id, gone.id, false)]
  expect(await insertBookings(db, asked)).toEqual([null, 'left'])
  expect(await Promise.all(asked.map(booking => insertBooking(db, booking)))).toEqual([null, null])
})

test('statements planned for nearly empty tables use no sequential scan', async () => {
  const course = await insertCourse(db)
  await db.execute(sql`analyze bookings, courses, web_users`)
  const pools = openPools(connection, 'Europe/Berlin')
  const scans = await pools.calls.transaction(async tx => {
    // PostgreSQL may choose a generic plan after five executions.
    for (let count = 0; count < 8; count++) {
      const { id } = await insertWebUser(db)
      await insertBookings(tx, [askFor(course.id, id, false)])
      await listCountersWithViewers(tx, [{ courseId: course.id, webUserId: id }])
    }
    return tx.query(sql`
      select relname, seq_scan from pg_stat_xact_user_tables
      where relname in ('bookings', 'courses', 'web_users') and seq_scan > 0`)
  })
  await pools.close()
  expect(scans).toEqual([])
})

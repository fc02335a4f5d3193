import { expect, test } from 'vitest'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { findCourseViewer, listCountersWithViewers } from '#server/features/courses/view-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { openPools } from '#server/platform/db/pools.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { insertCourse, insertWebUser } from '#server/test/factories.ts'
import { insertBookings, type NewBooking } from './booking-repository.ts'
import { listBookedCourses } from './repository.ts'

const { Booked } = BOOKING_STATUS
// A separate database, because query plans depend on the earlier content of the tables.
const { db, connection } = await openTestDatabase()

const FREE = {
  fee: { cents: 0, rule: 'fee', energyCents: 0, onceVerifiedCents: null },
  employeeStatus: EMPLOYEE_STATUS.Employee,
  mayWait: true,
  mail: '{}',
} satisfies Partial<NewBooking>

test('statements planned for few bookings read the same number of pages per person, however many people have booked', async () => {
  await db.execute(sql`alter table bookings set (autovacuum_enabled = off)`)
  const course = await insertCourse(db, { capacity: 10_000 })
  const pools = openPools(connection, 'Europe/Berlin')
  const steps = {
    look: (tx: Queryable, webUserId: number) => listCountersWithViewers(tx, [{ courseId: course.id, webUserId }]),
    list: (tx: Queryable, webUserId: number) => findCourseViewer(tx, webUserId),
    booked: (tx: Queryable, webUserId: number) => listBookedCourses(tx, webUserId),
    book: (tx: Queryable, webUserId: number) => insertBookings(tx, [{ ...FREE, courseId: course.id, webUserId }]),
  }
  const pages = await pools.calls.session(async session => {
    const countPages = async () => {
      await session.query(sql`select pg_stat_force_next_flush()`)
      const { count } = await session.one<{ count: number }>(sql`
        select heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read as count
        from pg_statio_user_tables where relname = 'bookings'`)
      return count
    }
    const take = async () => {
      const { id } = await insertWebUser(db)
      const taken: Record<string, number> = {}
      for (const [name, step] of Object.entries(steps)) {
        const before = await countPages()
        await step(session, id)
        taken[name] = (await countPages()) - before
      }
      return taken
    }
    for (let count = 0; count < 8; count++) await take()
    const others = []
    for (let count = 0; count < 50; count++) others.push((await insertCourse(db)).id)
    await session.execute(sql`
      with people as (
        insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at)
        select 'crowd-' || n || '@portal.example', 'Kim', 'Muster', 1, 1980, now() from generate_series(1, 10000) n returning id
      )
      insert into bookings (course_id, web_user_id, seq, state, price_cents, price_rule, employee_status)
      select case id % 2 when 0 then ${course.id} else (${others}::int[])[1 + id / 2 % 50] end, id, id, ${Booked}, 100, 'fee', 1 from people`)
    await session.execute(sql`update courses set taken = taken + 5000, booking_seq = 1000000 where id = ${course.id}`)
    return take()
  })
  await pools.close()
  expect(pages.look).toBeLessThan(15)
  expect(pages.list).toBeLessThan(15)
  expect(pages.booked).toBeLessThan(15)
  expect(pages.book).toBeLessThan(40)
})

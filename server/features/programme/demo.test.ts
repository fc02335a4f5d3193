import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTENT_ITEM_TYPES } from '#contract/content-words.ts'
import { listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { verifyPassword } from '#server/features/session/passwords.ts'
import { sql } from '#server/platform/db/client.ts'
import { isPublicHoliday, isSchoolHoliday } from '#server/platform/holidays/holidays.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { dumpTables } from '#server/test/import-folder.ts'
import { loadDemoProgramme } from './demo.ts'
import { importProgramme } from './import-programme.ts'

let database: TestDatabase
let seconds: number
beforeAll(async () => {
  database = await createTestDatabase()
  const start = performance.now()
  expect(await loadDemoProgramme(database.db, { region: 'DE-NI' })).toBe(true)
  seconds = (performance.now() - start) / 1000
  console.log(`demo programme in ${seconds.toFixed(1)} s`)
}, 120_000)
afterAll(() => database.close())

const count = async (condition: string) =>
  (await database.db.one<{ count: number }>(sql`select count(*) from ${sql.raw(condition)}`)).count

test('is loaded once within seconds, only into an empty database', async () => {
  expect(seconds).toBeLessThan(60)
  const before = await dumpTables(database.db)
  expect(await loadDemoProgramme(database.db, { region: 'DE-NI' })).toBe(false)
  expect(await dumpTables(database.db)).toEqual(before)
})

test('importing it again in a later week changes nothing', { timeout: 120_000 }, async () => {
  const folder = join(import.meta.dirname, '../../../demo')
  const later = await database.openLater(8)
  const before = await dumpTables(database.db)
  const outcome = await importProgramme(later, { folder, region: 'DE-NI' })
  // The school holidays of the demo's last dates may be unknown.
  const onlyHolidays = expect.toSatisfy((notes: string[]) => notes.every(note => note.includes('school holidays')))
  expect(outcome).toMatchObject({ isDone: true, hasChanged: false, notes: onlyHolidays })
  expect(await dumpTables(database.db)).toEqual(before)
})

test('contains full, free, online and future courses, and every kind of content', async () => {
  expect(await count('courses')).toBeGreaterThanOrEqual(70)
  expect(await count('courses where taken > capacity')).toBeGreaterThan(0)
  expect(await count('courses where taken >= capacity')).toBeGreaterThan(0)
  expect(await count('courses where fee_cents = 0')).toBeGreaterThan(0)
  expect(await count(`courses where meeting_url <> ''`)).toBeGreaterThan(0)
  expect(await count('courses where opens_at > clock_timestamp()')).toBeGreaterThan(0)
  expect(
    await count('courses where opens_at < clock_timestamp() and taken < capacity and closes_at > clock_timestamp()'),
  ).toBeGreaterThan(10)
  const types = await database.db.query<{ type: string }>(sql`select distinct content_type as type from content_items`)
  expect(types.map(({ type }) => type).sort()).toEqual([...CONTENT_ITEM_TYPES].sort())
})

test.each(['employee', 'pensioner', 'insured', 'external', 'instructor'])(
  '%s@demo.example can log in and has messages',
  async name => {
    const user = await database.db.one<{ password_hash: string; messages: number; documents: number }>(sql`
    select password_hash, (select count(*) from inbox_items i where i.web_user_id = u.id) as messages,
      (select count(*) from inbox_items i join file_contents f on f.sha256 = i.document_sha256
        where i.web_user_id = u.id) as documents
    from web_users u where email = ${`${name}@demo.example`} and confirmed_at is not null`)
    expect(await verifyPassword(user.password_hash, 'Demo-Sport-2026')).toBe(true)
    expect(user.messages).toBeGreaterThan(0)
    if (name === 'employee') expect(user.documents).toBeGreaterThan(0)
  },
)

test('the instructor teaches at least three running courses with participants', async () => {
  expect(
    await count(`courses c join course_instructors i on i.course_id = c.id
      where i.email = 'instructor@demo.example' and c.starts_on < current_date and c.ends_on > current_date
      and least(c.taken, c.capacity) >= 3`),
  ).toBeGreaterThanOrEqual(3)
})

test('no lesson is on a public or school holiday, and each course has 8 to 12 lessons', async () => {
  const courses = await database.db.query<{ number: string; days: string[]; units: number }>(sql`
    select number, array_agg(held_at::date::text order by held_at) as days,
      round(total_hours * 60 / (extract(epoch from end_time - start_time) / 60)::numeric)::int as units
    from courses c join course_dates d on d.course_id = c.id group by c.id`)
  expect(courses.length).toBeGreaterThan(70)
  for (const { number, days, units } of courses) {
    const onHoliday = days.filter(day => isPublicHoliday('DE-NI', day) || isSchoolHoliday('DE-NI', day))
    expect([number, onHoliday, days.length]).toEqual([number, [], units])
    expect(units >= 8 && units <= 12, `${number}: ${units}`).toBe(true)
  }
  expect(
    await count(`courses c where starts_on <> (select min(held_at)::date from course_dates d where d.course_id = c.id)
      or ends_on <> (select max(held_at)::date from course_dates d where d.course_id = c.id)`),
  ).toBe(0)
})

test('every course’s counters match its bookings', async () => {
  expect(
    await count(`courses c left join (
        select course_id, count(*) as taken, max(seq) as seq, count(*) filter (where state = 1) as booked
        from bookings group by course_id) b on b.course_id = c.id
      where (c.taken, c.booking_seq, least(c.taken, c.capacity))
        is distinct from (coalesce(b.taken, 0), coalesce(b.seq, 0), coalesce(b.booked, 0))`),
  ).toBe(0)
  expect(
    await count(
      `bookings b join courses c on c.id = b.course_id where booked_at < opens_at or booked_at > clock_timestamp()`,
    ),
  ).toBe(0)
})

test('attendance is recorded only on past dates, for booked participants', async () => {
  expect(await count('attendances')).toBeGreaterThan(100)
  expect(
    await count(`attendances a join course_dates d on d.id = a.course_date_id
      left join bookings b on b.course_id = d.course_id and b.web_user_id = a.web_user_id and b.state = 1
      where d.held_at > localtimestamp or b.id is null`),
  ).toBe(0)
})

test('the last past lesson of a running course is not recorded yet', async () => {
  const open = await database.db.query<{ recorded: number }>(sql`
    select count(a.*)::int as recorded from courses c
    join lateral (select id from course_dates where course_id = c.id and held_at < localtimestamp order by held_at desc limit 1) d on true
    left join attendances a on a.course_date_id = d.id
    where c.closes_at > clock_timestamp() group by c.id`)
  expect(open.length).toBeGreaterThan(10)
  expect(new Set(open.map(({ recorded }) => recorded))).toEqual(new Set([0]))
})

test('needs no room or instructor twice at the same time', async () => {
  expect(await count('rooms')).toBeGreaterThan(10)
  expect(await listLessonClashes(database.db, {})).toEqual([])
})

test('sends no e-mail', async () => {
  expect(await count('mails')).toBe(0)
})

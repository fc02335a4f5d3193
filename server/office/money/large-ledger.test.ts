// @module-tag extended
import { expect, test } from 'vitest'
import { getBatchFile, getOfficeMoney } from '#contract/office/money.ts'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { insertPastCourse } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'

const PEOPLE = 2_000
const COURSES = 60
const LESSONS = 10
const ENTRIES = 50_000

/** The fastest of several runs: the machine may be busy. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}

test('with 50,000 entries of 2,000 people, the money screen and the payroll file are read quickly', {
  timeout: 240_000,
}, async () => {
  const { server, ...office } = await openTestOffice(['billing'])
  const { token } = office
  const db = openDatabase({ ...server.database, timeZone: 'Europe/Berlin', statementTimeoutMs: 0 })
  const courseIds: number[] = []
  for (let course = 0; course < COURSES; course += 1)
    courseIds.push((await insertPastCourse(db, LESSONS, { capacity: PEOPLE })).id)
  await db.execute(sql`
    insert into web_users (email, given_name, family_name, employee_status, year_of_birth, confirmed_at, known_at, billing_type, personnel_number)
    select 'p' || n || '@demo.example', 'Kim', 'Muster ' || n, 1, 1980, now(), now(), 1, lpad(n::text, 8, '0') from generate_series(1, ${PEOPLE}::int) n`)
  await db.execute(sql`
    with person as (select id, row_number() over (order by id) as number from web_users where personnel_number <> ''),
      course as (select id, row_number() over (order by id) as number from unnest(${courseIds}::int[]) id)
    insert into bookings (course_id, web_user_id, seq, state, price_cents, booked_at, promised_lessons, is_waiver_offered, employee_status)
    select c.id, p.id, row_number() over (partition by c.id order by p.id), 1, 4500, now() - interval '200 days', ${LESSONS}::int, true, 1
    from person p join course c on p.number % ${COURSES}::int = c.number - 1`)
  await db.execute(sql`
    update courses c set taken = n, booking_seq = n from (select course_id, count(*) as n from bookings group by 1) b where b.course_id = c.id`)
  await db.execute(sql`
    insert into attendances (course_date_id, web_user_id, is_present, changed_at)
    select d.id, b.web_user_id, (b.web_user_id + d.id) % 3 > 0, now() from bookings b join course_dates d on d.course_id = b.course_id`)
  await db.execute(sql`analyze`)
  const settledAt = performance.now()
  expect(await office.act({ kind: 'settle-courses', courseIds })).toMatchObject({ status: 'Ok' })
  const settleMs = performance.now() - settledAt
  await db.execute(sql`
    with account as (select id, row_number() over (order by id) as number, count(*) over () as total from ledger_accounts)
    insert into ledger_entries (account_id, kind, cents)
    select a.id, 'correction', 100 from generate_series(1, ${ENTRIES}::int - (select count(*)::int from ledger_entries)) n
      join account a on a.number = n % a.total + 1`)
  expect((await db.one<{ count: number }>(sql`select count(*)::int as count from ledger_entries`)).count).toBe(ENTRIES)

  const readMoney = () => server.request(getOfficeMoney, { token, query: {} })
  const draftMs = await measure(readMoney)
  const batchId = Number((await office.act({ kind: 'create-batch', batchKind: 'payroll' })).result.id)
  const closedAt = performance.now()
  expect(await office.act({ kind: 'close-batch', batchId })).toMatchObject({ status: 'Ok', result: { count: PEOPLE } })
  const closeMs = performance.now() - closedAt
  const moneyMs = await measure(readMoney)
  // Sums only: the screen takes as long for any number of entries.
  expect(JSON.stringify((await readMoney()).body).length).toBeLessThan(1_000)
  const readFile = async () => (await server.request(getBatchFile, { token, params: { id: batchId } })).body
  const fileMs = await measure(readFile)
  expect(
    Buffer.from(await readFile())
      .toString()
      .trimEnd()
      .split('\r\n'),
  ).toHaveLength(PEOPLE + 2)
  await db.close()
  const took = `settle ${settleMs} ms, close ${closeMs} ms, money ${draftMs} and ${moneyMs} ms, file ${fileMs} ms`
  // Ten times the limits, which are 300 ms and 3 s, because other tests load the machine.
  expect(draftMs, took).toBeLessThan(3_000)
  expect(moneyMs, took).toBeLessThan(3_000)
  expect(fileMs, took).toBeLessThan(30_000)
})

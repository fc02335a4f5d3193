import { expect, test } from 'vitest'
import type { Endpoint, ItemOf } from '#contract/endpoint.ts'
import { bookCourse, cancelCourse } from '#contract/endpoints/courses.ts'
import * as money from '#contract/office/money.ts'
import { getOfficeCourse, listOfficeCourses } from '#contract/office/office.ts'
import { getOfficeList, listOfficeBookings } from '#contract/office/people.ts'
import { listOfficeSeasons } from '#contract/office/programme.ts'
import { getToday, TODAY_TASKS } from '#contract/office/today.ts'
import { RIGHTS } from '#contract/values.ts'
import { closeExpiredWaitingLists } from '#server/features/bookings/waiting-list-service.ts'
import { addDays } from '#server/features/money/proof-rules.ts'
import { loadDemoProgramme } from '#server/features/programme/demo.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertSeason, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
// The demo is loaded into an empty database only.
await loadDemoProgramme(server.db, { region: 'DE-NI' })
const { token, act } = await openTestDesk(server, RIGHTS)

/** All rows of a list, read in small pages. */
async function readAll<Row>(
  endpoint: Endpoint,
  query: Record<string, string> = {},
  reader: string = token,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (
      await server.request(endpoint, {
        query: { limit: '37', ...query, ...(after && { after }) } as never,
        token: reader,
      })
    ).body as { items: Row[]; next: string | null }
    rows.push(...page.items)
    after = page.next
  }
  return rows
}
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
type CourseRow = { places: number; booked: number; waiting: number; cancelled: boolean }

test('each figure of Today is the number of rows of the list to which it leads', async () => {
  const { totals } = (await server.request(getToday, { token })).body
  expect(Object.keys(totals).sort()).toEqual([...TODAY_TASKS].sort())
  for (const all of TODAY_TASKS) {
    let rows = 0
    for (let after: string | null = ''; after !== null; ) {
      const query: Record<string, string> = { all, limit: '13', ...(after && { after }) }
      const page = (await server.request(getToday, { query: query as never, token })).body
      rows += page[all]?.length ?? 0
      after = page.next ?? null
    }
    expect([all, rows]).toEqual([all, totals[all]])
  }
  expect(Object.values(totals).some(total => total > 0)).toBe(true)
})

const listBookings = async (filters: Record<string, string>) => {
  // Costly requests are limited for each person.
  const reader = await insertOfficer(server, ['bookings'])
  return readAll<ItemOf<typeof listOfficeBookings>>(
    listOfficeBookings,
    { newest: '1', limit: '500', ...filters },
    reader.token,
  )
}

test('the bookings, waiting-list entries and bookings per day of Today are the rows of the bookings list', async () => {
  const { figures, date } = (await server.request(getToday, { token })).body
  expect((await listBookings({ state: 'booked', current: '1' })).length).toBe(figures?.booked)
  const waiting = await listBookings({ state: 'waiting', current: '1' })
  expect([waiting.length, new Set(waiting.map(({ courseId }) => courseId)).size]).toEqual([
    figures?.waiting,
    figures?.waitingCourses,
  ])
  expect(figures?.booked).toBeGreaterThan(0)
  expect(figures?.waiting).toBeGreaterThan(0)
  const daily = figures?.daily ?? []
  for (const [index, count] of daily.entries()) {
    const day = addDays(date, index + 1 - daily.length)
    expect([day, (await listBookings({ from: day, to: day })).length]).toEqual([day, count])
  }
  expect(sum(daily, count => count)).toBeGreaterThan(0)
})

test('each figure of a season is the number of its courses, and the sum over them', async () => {
  const seasons = await readAll<{ id: number; courses: number; places: number; booked: number; waiting: number }>(
    listOfficeSeasons,
  )
  expect(seasons.length).toBeGreaterThan(1)
  for (const { id, courses, places, booked, waiting } of seasons) {
    const rows = await readAll<CourseRow>(listOfficeCourses, { seasonId: String(id) })
    const taking = rows.filter(({ cancelled }) => !cancelled)
    expect({ id, courses, places, booked, waiting }).toEqual({
      id,
      courses: taking.length,
      places: sum(taking, row => row.places),
      booked: sum(taking, row => row.booked),
      waiting: sum(taking, row => row.waiting),
    })
    for (const [state, count] of Object.entries({ booked, waiting }))
      expect([id, state, (await listBookings({ seasonId: String(id), state })).length]).toEqual([id, state, count])
  }
})

test('each figure of the money screen is the number of rows and the sum of its list', async () => {
  const { toSettle } = (await server.request(money.getOfficeMoney, { query: {}, token })).body
  const courseIds = toSettle.map(({ courseId }) => courseId)
  if (courseIds.length > 0)
    expect(await act({ kind: 'settle-courses', courseIds, reason: 'Ohne Listen' })).toMatchObject({ status: 'Ok' })
  for (const batchKind of ['payroll', 'invoice'] as const) await act({ kind: 'create-batch', batchKind })
  expect((await readAll(money.listSettlements)).length).toBeGreaterThanOrEqual(courseIds.length)
  const { held, proofs } = (await server.request(money.getOfficeMoney, { query: {}, token })).body
  expect(await readAll(money.listOfficeProofs, { state: 'open' })).toHaveLength(proofs.open)
  for (const { cause, count, amount } of held) {
    const rows = await readAll<{ amount: number }>(money.listHeld, { cause })
    expect([cause, rows.length, sum(rows, row => Math.round(row.amount * 100))]).toEqual([
      cause,
      count,
      Math.round(amount * 100),
    ])
  }
  for (const { id, count } of await readAll<{ id: number; count: number }>(money.listBatches)) {
    const { lines } = (await server.request(money.getBatch, { params: { id }, token })).body
    expect([id, lines.filter(({ amount }) => amount !== 0).length]).toEqual([id, count])
  }
})

test('people who are passed over keep their number and are counted as waiting by every figure', async () => {
  const { id: ofDemo } = await server.db.one<{ id: number }>(sql`select max(id) as id from categories`)
  const season = await insertSeason(server.db, { id: 9_001 })
  const course = await insertCourse(server.db, { capacity: 1, seasonId: season.id, categoryId: ofDemo })
  const enrol = async () => {
    const person = await insertUserWithSession(server.db)
    await server.request(bookCourse, { body: { id: course.id }, token: person.token })
    return person
  }
  const [booked, first, second, third] = [await enrol(), await enrol(), await enrol(), await enrol()]
  const figuresNow = async () => (await server.request(getToday, { token })).body.figures
  const before = await figuresNow()
  for (const { id } of [first, second]) await act({ kind: 'lock-person', webUserId: id })
  await server.request(cancelCourse, { body: { id: course.id }, token: booked.token })
  await closeExpiredWaitingLists(server.db, 'DE-NI')

  const { body } = await server.request(getOfficeCourse, { params: { id: course.id }, token })
  expect(body.booked.map(({ webUserId }) => webUserId)).toEqual([third.id])
  expect(body.waiting.map(({ webUserId }) => webUserId)).toEqual([first.id, second.id])
  const seasonId = String(course.seasonId)
  const courses = await readAll<CourseRow>(listOfficeCourses, { seasonId })
  const listedSeason = (await readAll<CourseRow & { id: number }>(listOfficeSeasons)).find(
    ({ id }) => id === course.seasonId,
  )
  expect([courses[0]?.waiting, listedSeason?.waiting, body.course.currentWaiting]).toEqual([2, 2, 2])
  expect(await figuresNow()).toMatchObject({
    waiting: (before?.waiting ?? 0) - 1,
    waitingCourses: before?.waitingCourses,
  })
  const listed = async (file: string) => {
    const { body: csv } = await server.request(getOfficeList, { params: { file }, query: { seasonId }, token })
    return new TextDecoder().decode(csv).trim().split('\r\n').slice(1)
  }
  expect((await listed('waiting.csv')).map(line => line.split(';')[5])).toEqual(['1', '2'])
  expect((await listed('utilisation.csv'))[0]).toMatch(/;1;1;2;100;/)
})

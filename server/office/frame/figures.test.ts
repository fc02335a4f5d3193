import { expect, test } from 'vitest'
import { bookCourse, type Course, cancelCourse, getCourse, listCourses } from '#contract/endpoints/courses.ts'
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
import { insertCourse, insertDivision, insertSeason, insertUserWithSession } from '#server/test/factories.ts'
import { type Read, readAll, readFigures, wrongFigures } from '#server/test/figures.ts'
import { insertOfficer, openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
// The demo is loaded into an empty database only.
await loadDemoProgramme(server.db, { region: 'DE-NI' })
const { token, act } = await openTestDesk(server, RIGHTS)

/** Reads as the desk. Costly requests are limited for each person, so others read the bookings. */
const read: Read = async (endpoint, request) => {
  const reader = 'isCostly' in endpoint ? (await insertOfficer(server, ['bookings'])).token : token
  return (await server.request(endpoint, { ...request, token: reader })).body
}
type CourseRow = { waiting: number }

test('each figure of the desk is the number of rows, and the sum, of the list to which it leads', async () => {
  expect(Object.keys((await read(getToday)).totals).sort()).toEqual([...TODAY_TASKS].sort())
  const { toSettle } = await read(money.getOfficeMoney, { query: {} })
  const courseIds = toSettle.map(({ courseId }) => courseId)
  if (courseIds.length > 0)
    expect(await act({ kind: 'settle-courses', courseIds, reason: 'Ohne Listen' })).toMatchObject({ status: 'Ok' })
  for (const batchKind of ['payroll', 'invoice'] as const) await act({ kind: 'create-batch', batchKind })
  expect((await readAll(read, money.listSettlements)).length).toBeGreaterThanOrEqual(courseIds.length)
  const figures = await readFigures(read)
  expect(wrongFigures(figures)).toEqual([])
  for (const needed of ['Today: booked', 'Today: waiting', 'Today: bookings per day'])
    expect(figures.find(({ figure }) => figure === needed)?.shown, needed).toBeGreaterThan(0)
  expect(figures.some(({ figure, shown }) => figure.startsWith('Season') && shown > 0)).toBe(true)
})

test('the bookings of each day are the rows of the bookings list with that day', async () => {
  const { figures, date } = await read(getToday)
  const daily = figures?.daily ?? []
  for (const [index, count] of daily.entries()) {
    const day = addDays(date, index + 1 - daily.length)
    const query = { newest: '1', limit: '500', from: day, to: day }
    expect([day, (await readAll(read, listOfficeBookings, query)).length]).toEqual([day, count])
  }
})

test('nobody else has the number of a person who is passed over, and all counts include that person', async () => {
  const course = await insertCourse(server.db, { capacity: 1 })
  const people: Awaited<ReturnType<typeof insertUserWithSession>>[] = []
  const enrol = async () => {
    const person = await insertUserWithSession(server.db)
    people.push(person)
    const { body } = await server.request(bookCourse, { body: { id: course.id }, token: person.token })
    return [body.waitingListPosition, body.currentWaiting]
  }
  const seen = async () => {
    const answers = await Promise.all(
      people.map(async one => (await server.request(getCourse, { params: { id: course.id }, token: one.token })).body),
    )
    return answers.map(body => [body.waitingListPosition, body.currentWaiting])
  }
  const everywhere = async () => {
    const { body: details } = await server.request(getOfficeCourse, { params: { id: course.id }, token })
    const { body: list } = await server.request(listCourses)
    const { body: csv } = await server.request(getOfficeList, {
      params: { file: 'waiting.csv' },
      query: { seasonId: String(course.seasonId) },
      token,
    })
    return {
      desk: [details.course.currentWaiting, details.waiting.length],
      list: (list as Course[]).find(({ id }) => id === course.id)?.currentWaiting,
      csv: new TextDecoder()
        .decode(csv)
        .trim()
        .split('\r\n')
        .slice(1)
        .map(line => line.split(';')[5]),
    }
  }
  for (const _ of ['booked', 'passed over', 'next']) await enrol()
  const [booked, passedOver] = people
  const division = await insertDivision(server.db, { isOnlineOnly: true })
  await server.db.execute(sql`update web_users set division_id = ${division.id} where id = ${passedOver?.id ?? 0}`)
  await closeExpiredWaitingLists(server.db, 'DE-NI')
  expect(await seen()).toEqual([
    [0, 2],
    [1, 2],
    [2, 2],
  ])
  expect(await everywhere()).toEqual({ desk: [2, 2], list: 2, csv: ['1', '2'] })

  expect(await enrol()).toEqual([3, 3])
  const { id: bookedByDesk } = await insertUserWithSession(server.db)
  expect((await act({ kind: 'book', courseId: course.id, webUserId: bookedByDesk })).result).toMatchObject({
    position: 4,
  })
  const mails = await server.db.query<{ position: number }>(sql`
    select (payload ->> 'position')::int as position from mails
    where kind = 'waiting-list' and (payload ->> 'courseId')::int = ${course.id} order by id`)
  expect(mails.map(({ position }) => position)).toEqual([1, 2, 3, 4])

  await server.request(cancelCourse, { body: { id: course.id }, token: booked?.token })
  expect(await seen()).toEqual([
    [0, 3],
    [1, 3],
    [0, 3],
    [2, 3],
  ])
  const { body: left } = await server.request(cancelCourse, { body: { id: course.id }, token: passedOver?.token })
  expect([left.status, left.currentWaiting]).toEqual(['Ok', 2])
  expect(await everywhere()).toEqual({ desk: [2, 2], list: 2, csv: ['1', '2'] })
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
  const courses = await readAll<CourseRow>(read, listOfficeCourses, { seasonId })
  const listedSeason = (await readAll<CourseRow & { id: number }>(read, listOfficeSeasons)).find(
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

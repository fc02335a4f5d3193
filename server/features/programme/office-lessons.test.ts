import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { insertInstructor } from '#server/test/factories.ts'
import { openTestFolder } from '#server/test/import-folder.ts'
import { openTestDesk, type TestAct } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'
import { importProgramme } from './import-programme.ts'

const server = await openTestServer()
const folder = await openTestFolder({ 'categories.csv': 'id,name\n3,Fitness\n', 'seasons.csv': 'id,name\n1,Herbst\n' })
const office = await openTestDesk(server, ['programme'])
const substitute = (await insertInstructor(server.db)).email

const act = async (body: TestAct) => {
  expect(await office.act({ reason: 'so', ...body } as TestAct)).toMatchObject({ status: 'Ok' })
}
const run = async () => {
  const outcome = await importProgramme(server.db, { folder: folder.path, region: 'DE-NI' })
  expect(outcome).toMatchObject({ isDone: true })
  return outcome
}

/** Mondays without holidays, far enough in the future. */
const day = (n: number) => new Date(Date.UTC(2029, 0, 1 + n)).toISOString().slice(0, 10)
const week = (n: number) => day(7 * n)
const HEADER = 'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants,venue'
const course = (number: string, startTime = '18:00', endTime = '19:00') =>
  `${HEADER}\n${number},1,3,Yoga,${week(1)},${week(5)},${startTime},${endTime},10,Halle 1\n`
const datesOf = (number: string) =>
  ['courseNumber,date', ...[1, 2, 3, 4, 5].map(n => `${number},${week(n)}`)].join('\n')

const lessonsOf = (number: string) =>
  server.db.query<Record<string, unknown> & { id: number; at: string }>(sql`
    select d.id, to_char(held_at, 'YYYY-MM-DD HH24:MI') as at, state, instructor_email as substitute, d.venue, d.note, is_extra as extra,
      to_char(ends_at, 'HH24:MI') as ends
    from course_dates d join courses c on c.id = d.course_id where number = ${number} order by held_at`)

/** Imports five lessons. Staff move the first, cancel the second, assign a substitute to the third, and add a sixth. */
async function insertWorkedOn(number: string) {
  await folder.write({ 'courses.csv': course(number), 'course-dates.csv': datesOf(number) })
  await run()
  const [first, second, third] = await lessonsOf(number)
  const { id } = await server.db.one<{ id: number }>(sql`select id from courses where number = ${number}`)
  await act({ kind: 'change-lesson', courseDateId: first?.id ?? 0, date: day(9), startTime: '20:00' })
  await act({ kind: 'cancel-lesson', courseDateId: second?.id ?? 0, note: 'Hallenboden' })
  await act({ kind: 'change-lesson', courseDateId: third?.id ?? 0, instructorEmail: substitute })
  await act({ kind: 'add-lesson', courseId: id, date: day(38), startTime: '17:00', endTime: '18:30' })
  return lessonsOf(number)
}

test.each([
  ['with its rows', (number: string) => datesOf(number)],
  ['with rows of other courses only', () => 'courseNumber,date\nother,2026-11-23\n'],
  ['without course-dates.csv', () => null],
])('a lesson that staff moved, cancelled, added or gave a substitute keeps the change: %s', async (name, dates) => {
  const number = `A ${name}`
  const lessons = await insertWorkedOn(number)
  await folder.write({
    'courses.csv': `${course(number).replace('Yoga', 'Hatha')}${course('other').split('\n')[1]}\n`,
    'course-dates.csv': dates(number),
  })
  await run()
  expect(await lessonsOf(number)).toEqual(lessons)
  expect(await run()).toMatchObject({ hasChanged: false })
  // A new start time of the course moves the lessons that staff have not moved.
  await folder.write({ 'courses.csv': course(number, '18:30', '19:30') })
  await run()
  const clock = ['20:00', '18:30', '18:30', '18:30', '18:30', '17:00']
  expect((await lessonsOf(number)).map(({ at, id }) => [id, at.slice(11)])).toEqual(
    lessons.map(({ id }, index) => [id, clock[index]]),
  )
})

test('its row overrides the change: time, state, instructor and venue', async () => {
  const [moved, cancelled, taught, plain, , extra] = await insertWorkedOn('B')
  const other = (await insertInstructor(server.db)).email
  const rows = [
    'courseNumber,date,startTime,endTime,state,venue,instructorEmail,note,note2',
    `B,${week(1)},18:00,,,,,,`,
    `B,${week(2)},,,planned,,,,`,
    `B,${week(3)},,,,,${other},,`,
    `B,${week(4)},,20:00,cancelled,Halle 7,,Turnier,Tournament`,
    `B,${week(5)},,,,,,,`,
    `B,${week(6)},19:00,,,,,,`,
  ]
  await folder.write({ 'courses.csv': course('B'), 'course-dates.csv': rows.join('\n') })
  await run()
  const common = { state: 'planned', substitute: null, venue: null, note: '', extra: false, ends: null }
  expect(await lessonsOf('B')).toEqual([
    { ...common, id: moved?.id, at: `${week(1)} 18:00` },
    { ...common, id: cancelled?.id, at: `${week(2)} 18:00` },
    { ...common, id: taught?.id, at: `${week(3)} 18:00`, substitute: other },
    {
      ...common,
      id: plain?.id,
      at: `${week(4)} 18:00`,
      ends: '20:00',
      state: 'cancelled',
      venue: 'Halle 7',
      note: 'Turnier',
    },
    expect.objectContaining({ ...common, at: `${week(5)} 18:00` }),
    expect.objectContaining({ id: extra?.id, at: `${day(38)} 17:00`, extra: true }),
    expect.objectContaining({ ...common, at: `${week(6)} 19:00` }),
  ])
  expect(await run()).toMatchObject({ hasChanged: false })
})

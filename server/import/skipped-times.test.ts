import { expect, test } from 'vitest'
import { sql } from '#server/db/client.ts'
import { BASIC_FOLDER, COURSE_HEADER, countsOf, openImport } from '#server/test/import-folder.ts'

const course = (start: string, end: string, time = '02:30,03:30') =>
  `${COURSE_HEADER}\nA-1,1,3,Nachtlauf,${start},${end},${time},10\n`

test('a lesson in the hour that summer time skips is an error of its row', async () => {
  const { folder, run, datesOf } = await openImport({
    ...BASIC_FOLDER,
    'courses.csv': course('2027-03-21', '2027-04-11', '18:00,19:00'),
    'course-dates.csv': 'courseNumber,date\nA-1,2027-03-21\nA-1,2027-03-28 02:30\n',
  })
  expect(countsOf(await run())).toEqual([
    'course-dates.csv:3: date: 2027-03-28 02:30:00 does not exist: summer time begins and skips it',
  ])
  await folder.write({ 'course-dates.csv': null, 'courses.csv': course('2027-03-28', '2027-03-28') })
  expect(countsOf(await run({ language: 'de' }))).toEqual([
    'courses.csv:2: startTime: 2027-03-28 02:30:00 gibt es nicht: Die Sommerzeit beginnt und überspringt diese Zeit',
  ])
  await folder.write({ 'courses.csv': course('2027-03-27', '2027-03-27') })
  expect(await run()).toMatchObject({ isDone: true })
  expect(await datesOf('A-1')).toEqual(['2027-03-27 02:30:00'])
})

test('an opening in the skipped hour is as long after the change, one in the hour shown twice is the second', async () => {
  const { db, run } = await openImport({
    ...BASIC_FOLDER,
    'seasons.csv':
      'id,name,bookableFrom,viewableFrom\n1,Herbst,2026-10-25 02:30,2026-10-01\n2,Ostern,2027-03-28 02:30,2027-01-01\n',
  })
  expect(await run()).toMatchObject({ isDone: true })
  const rows = await db.query<{ at: Date }>(sql`select bookable_from as at from seasons order by id`)
  expect(rows.map(({ at }) => at.toISOString())).toEqual(['2026-10-25T01:30:00.000Z', '2027-03-28T01:30:00.000Z'])
})

test('the report names courses without a lesson', async () => {
  const { run } = await openImport({
    ...BASIC_FOLDER,
    'courses.csv': `${COURSE_HEADER},day\nA-1,1,3,Yoga,2026-11-23,2026-11-25,18:00,19:00,10,6\n`,
  })
  expect(await run()).toMatchObject({
    isDone: true,
    notes: [
      'Course A-1 without a lesson: give dates in course-dates.csv, or a start and end with its weekday between them',
    ],
  })
})

// Fixed dates: an import treats past and future ones alike.
import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { BASIC_FOLDER, COURSE_HEADER, COURSES, countsOf, openImport } from '#server/test/import-folder.ts'
import { replaceHolidayLessons } from '../schedule.ts'

test('dates in course-dates.csv replace the generated ones, and use the course’s start time by default', async () => {
  const { folder, run, course, datesOf } = await openImport(BASIC_FOLDER)
  await run()
  expect(await datesOf('A-1')).toEqual(
    ['23', '30'].map(day => `2026-11-${day} 18:00:00`).concat('2026-12-07 18:00:00', '2026-12-14 18:00:00'),
  )
  const dates = 'courseNumber,date\nA-1,2026-11-23\nA-1,2026-11-27 20:15\nA-1,30.11.2026\n'
  await folder.write({ 'course-dates.csv': dates, 'courses.csv': COURSES.replace('2026-12-14', '') })
  await run()
  expect(await datesOf('A-1')).toEqual(['2026-11-23 18:00:00', '2026-11-27 20:15:00', '2026-11-30 18:00:00'])
  expect(await course('A-1')).toMatchObject({ ends_on: '2026-11-30', closes: '2026-11-30 18:00:00' })

  // A later folder without the file keeps the dates, but applies a new start time.
  await folder.write({ 'course-dates.csv': null, 'courses.csv': COURSES.replace('18:00,19:00', '18:30,19:30') })
  expect(countsOf(await run())).toMatchObject({ 'course-dates.csv': { updated: 2, removed: 0 } })
  expect(await datesOf('A-1')).toEqual(['2026-11-23 18:30:00', '2026-11-27 20:15:00', '2026-11-30 18:30:00'])
  expect(await run()).toMatchObject({ hasChanged: false })
})

test('dates with recorded attendance are kept, whether they are moved or removed', async () => {
  const { db, folder, run, datesOf } = await openImport(BASIC_FOLDER)
  await run()
  const user = await insertWebUser(db)
  const lessons = await db.query<{ id: number }>(sql`
    select d.id from course_dates d join courses c on c.id = d.course_id where number = 'A-1' order by held_at limit 2`)
  for (const { id } of lessons)
    await db.execute(sql`insert into attendances values (${id}, ${user.id}, true, clock_timestamp())`)
  const dates = 'courseNumber,date\nA-1,2026-11-23 20:00\nA-1,2026-12-01\n'
  await folder.write({ 'course-dates.csv': dates })
  const outcome = await run()
  expect(countsOf(outcome)).toMatchObject({ 'course-dates.csv': { created: 1, updated: 1, removed: 2 } })
  expect(outcome).toMatchObject({
    notes: [expect.stringContaining('Course A-1: 2026-11-30 18:00:00 is no longer a date but stays')],
  })
  expect(await datesOf('A-1')).toEqual(['2026-11-23 20:00:00', '2026-11-30 18:00:00', '2026-12-01 18:00:00'])
  expect(await db.query(sql`select course_date_id as id from attendances order by 1`)).toEqual(lessons)
  expect(await run()).toMatchObject({ hasChanged: false })
})

test('with a file dates-move-from, every date moves by whole weeks to the current week', async () => {
  const { db, folder, run, course, datesOf } = await openImport(BASIC_FOLDER)
  await folder.write({
    'dates-move-from': '2020-01-06\n',
    'seasons.csv': 'id,name,bookableFrom\n1,Herbst,2019-12-30 08:00\n',
    'courses.csv': `${COURSE_HEADER}\nA-1,1,3,Rückenfit,2020-01-08,2020-01-15,18:00,19:00,10\n`,
    'course-dates.csv': 'courseNumber,date\nA-1,2020-01-08\nA-1,2020-01-16 17:00\n',
  })
  await run()
  const { monday } = await db.one<{ monday: string }>(sql`select date_trunc('week', current_date)::date as monday`)
  const day = (days: number) => new Date(Date.parse(monday) + days * 86_400_000).toISOString().slice(0, 10)
  const dates = [`${day(2)} 18:00:00`, `${day(10)} 17:00:00`]
  const moved = replaceHolidayLessons('DE-NI', dates)
  const span = moved.map(at => at.slice(0, 10))
  expect(await course('A-1')).toMatchObject({ starts_on: span[0], ends_on: span[1], opens: `${day(-7)} 08:00:00` })
  expect(await datesOf('A-1')).toEqual(moved)
  await folder.write({ 'dates-move-from': 'soon' })
  expect(countsOf(await run())).toEqual([expect.stringContaining('dates-move-from:1: date: "soon" is not a date')])
})

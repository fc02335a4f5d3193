// Fixed dates: an import treats past and future ones alike.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { BASIC_FOLDER, COURSE_HEADER, countsOf, openImport } from '#server/test/import-folder.ts'
import { generateDates, replaceHolidayLessons } from './schedule.ts'

test('generates one date per week, without holidays of the region', () => {
  // Lower Saxony 2026: autumn holidays from 12 to 24 October; 31 October is a public holiday.
  expect(generateDates('DE-NI', '2026-09-28', '2026-11-09', 1)).toEqual([
    '2026-09-28',
    '2026-10-05',
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
  ])
  expect(generateDates('DE-NI', '2026-10-24', '2026-11-07', 6)).toEqual(['2026-11-07'])
  expect(generateDates('DE-NW', '2026-09-28', '2026-10-19', 1)).toEqual(['2026-09-28', '2026-10-05', '2026-10-12'])
})

test('the first date is the first such weekday on or after the start', () => {
  expect(generateDates('DE-NI', '2026-11-23', '2026-12-10', 3)).toEqual(['2026-11-25', '2026-12-02', '2026-12-09'])
})

test('a one-day course takes place on that day', () => {
  expect(generateDates('DE-NI', '2026-10-14', '2026-10-14', 1)).toEqual(['2026-10-14'])
})

// The public data from which the portal's own data was derived, parsed independently. It is not part of this
// repository.
const source = new URL('../../../../shared/data/holidays/', import.meta.url)
if (!existsSync(source)) console.log(`Skipped: holiday tables, for there is no ${source.pathname}`)

function holidaysOf(state: string): Set<string> {
  const days = new Set<string>()
  for (const file of readdirSync(source).filter(name => /^holidays\.(?:public|school)/.test(name))) {
    const lines = readFileSync(new URL(file, source), 'utf8').replace('\ufeff', '').trim().split(/\r?\n/)
    const [header = '', ...rows] = lines
    const names = header.split(';')
    for (const line of rows) {
      const row = Object.fromEntries(line.split(';').map((cell, index) => [names[index], cell]))
      const isPublic = row.Type === 'Public' && row.RegionalScope !== 'Local'
      const isHere = isPublic && row.Subdivisions === '' ? true : row.Subdivisions?.split(',').includes(state)
      const isLeftOut = isPublic || /^DE (?:Oster|Herbst)ferien/.test(row.Name ?? '')
      if (!isHere || !isLeftOut || row.Tags === 'Exception') continue
      const last = Date.parse(row.EndDate || row.StartDate || '')
      for (let day = Date.parse(row.StartDate ?? ''); day <= last; day += 86_400_000)
        days.add(new Date(day).toISOString().slice(0, 10))
    }
  }
  return days
}

test.skipIf(!existsSync(source))(
  'generated dates are exactly the weekdays without holidays in the public holiday data',
  () => {
    const states = ['BB', 'BE', 'BW', 'BY', 'HB', 'HE', 'NI', 'NW', 'RP', 'SH', 'SL', 'SN', 'ST', 'TH']
    const holidays = new Map(states.map(state => [state, holidaysOf(state)]))
    const anyStart = fc.date({ min: new Date('2024-01-01'), max: new Date('2029-06-30'), noInvalidDate: true })
    fc.assert(
      fc.property(
        fc.constantFrom(...states),
        anyStart,
        fc.integer({ min: 1, max: 150 }),
        fc.nat(6),
        (state, date, length, day) => {
          const days = Array.from({ length: length + 1 }, (_, index) =>
            new Date(date.getTime() + index * 86_400_000).toISOString().slice(0, 10),
          )
          const expected = days.filter(date => new Date(date).getUTCDay() === day && !holidays.get(state)?.has(date))
          expect(generateDates(`DE-${state}`, days[0] ?? '', days.at(-1) ?? '', day)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  },
)

test('moved dates keep their number, weekdays and times, and avoid holidays', () => {
  const at = (days: string[]) => days.map(day => `2026-${day} 17:30:00`)
  expect(replaceHolidayLessons('DE-NI', at(['09-28', '10-05', '10-12', '10-19', '10-26']))).toEqual(
    at(['09-28', '10-05', '10-26', '11-02', '11-09']),
  )
  // Twice a week at two times: lessons on holidays are appended in the same rhythm.
  const twice = ['2026-10-05 12:00:00', '2026-10-08 18:00:00', '2026-10-12 12:00:00', '2026-10-15 18:00:00']
  expect(replaceHolidayLessons('DE-NI', twice)).toEqual([
    ...twice.slice(0, 2),
    '2026-10-26 12:00:00',
    '2026-10-29 18:00:00',
  ])
  expect(replaceHolidayLessons('DE-NI', [])).toEqual([])
})

describe('times skipped by the change to summer time', () => {
  const course = (start: string, end: string, time = '02:30,03:30') =>
    `${COURSE_HEADER}\nA-1,1,3,Nachtlauf,${start},${end},${time},10\n`

  test('a lesson in the skipped hour is reported with its row', async () => {
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

  test('an opening in the skipped hour is shifted by an hour, and one in the repeated hour is the second', async () => {
    const { db, run } = await openImport({
      ...BASIC_FOLDER,
      'seasons.csv':
        'id,name,bookableFrom,viewableFrom\n1,Herbst,2026-10-25 02:30,2026-10-01\n2,Ostern,2027-03-28 02:30,2027-01-01\n',
    })
    expect(await run()).toMatchObject({ isDone: true })
    const rows = await db.query<{ at: Date }>(sql`select bookable_from as at from seasons order by id`)
    expect(rows.map(({ at }) => at.toISOString())).toEqual(['2026-10-25T01:30:00.000Z', '2027-03-28T01:30:00.000Z'])
  })

  test('courses without lessons are reported', async () => {
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
})

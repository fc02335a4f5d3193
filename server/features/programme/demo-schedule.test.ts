import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ImportProblems } from '#server/platform/files/problems.ts'
import { addDays } from './cell-parsers.ts'
import { parseFolder } from './parse-folder.ts'
import { planCourseDates } from './schedule.ts'

const WEEKS_OF_A_YEAR = 53

test('in every week of a year, the demo programme needs no instructor or room twice', async () => {
  const problems = new ImportProblems()
  const folder = await parseFolder(join(import.meta.dirname, '../../../demo'), 0, problems, () => undefined)
  const { courses, courseDates, rooms } = folder
  const shared = new Set(rooms.rows.filter(({ values }) => values.shared).map(({ values }) => values.name))
  const needs = new Map(
    courses.rows.map(({ values: { number = '', venue = '', instructorEmails = [] } }) => {
      expect(rooms.rows.map(({ values }) => values.name)).toContain(venue)
      return [number, shared.has(venue) ? instructorEmails : [...instructorEmails, venue]]
    }),
  )
  const timesOf = new Map(courses.rows.map(({ values: { number = '', endTime = '' } }) => [number, endTime]))
  const clashes = new Set<string>()
  for (let week = 0; week < WEEKS_OF_A_YEAR; week++) {
    const later = <Date extends string | null | undefined>(date: Date) => (date ? addDays(date, week * 7) : date)
    const moved = {
      courses: {
        ...courses,
        rows: courses.rows.map(row => ({
          ...row,
          values: { ...row.values, start: later(row.values.start) ?? '', end: later(row.values.end) ?? null },
        })),
      },
      courseDates: {
        ...courseDates,
        rows: courseDates.rows.map(row => ({
          ...row,
          values: { ...row.values, date: row.values.date && { ...row.values.date, date: later(row.values.date.date) } },
        })),
      },
    }
    const taken = new Map<string, { number: string; from: string; to: string }[]>()
    for (const [number, { heldAt }] of planCourseDates(moved, { courses: new Map() }, 'DE-NI', problems, true)) {
      for (const from of heldAt ?? []) {
        const lesson = { number, from, to: `${from.slice(0, 10)} ${timesOf.get(number)}` }
        for (const need of needs.get(number) ?? []) {
          const day = `${need} ${from.slice(0, 10)}`
          const others = taken.get(day) ?? []
          for (const other of others)
            if (lesson.from < other.to && other.from < lesson.to)
              clashes.add(`${other.number} and ${number}: ${need}, week ${week}, ${from}`)
          taken.set(day, [...others, lesson])
        }
      }
    }
  }
  expect(problems.toLines('en')).toEqual([])
  expect([...clashes]).toEqual([])
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Course } from '#contract/endpoints/courses.ts'
import { dateOf, testCourse } from './courses.ts'

/** Real programmes of universities, where a checkout has them beside it. */
const FOLDER = process.env.PROGRAMMES ?? join(import.meta.dirname, '../../../shared/data')
export const PROGRAMMES = ['demo', 'rwth', 'bern', 'fribourg'] as const
export type Programme = (typeof PROGRAMMES)[number]

const WEEKDAYS = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag']
type Row = Record<string, string | null>

const rowsOf = (file: string): Row[] => parse(readFileSync(`demo/${file}`), { columns: true, bom: true })

function readDemo(): Course[] {
  const [categories, seasons] = ['categories.csv', 'seasons.csv'].map(
    file => new Map(rowsOf(file).map(row => [row.id, row])),
  )
  return rowsOf('courses.csv').map((row, index) =>
    courseOf(
      {
        ...row,
        category: categories?.get(row.courseCategoryId ?? '')?.name ?? '',
        season: seasons?.get(row.seasonId ?? '')?.name ?? '',
      },
      index,
    ),
  )
}

function courseOf(row: Row, index: number): Course {
  const day = WEEKDAYS.includes(row.day ?? '') ? WEEKDAYS.indexOf(row.day ?? '') : Number(row.day ?? 1)
  const text = (field: string) => row[field]?.trim() ?? ''
  return testCourse({
    id: index + 1,
    number: text('number'),
    name: text('name'),
    name2: text('name2') || text('nameEn'),
    textWeb: text('textWeb')
      .replace(/<[^>]*>/g, ' ')
      .slice(0, 90),
    textWeb2: '',
    venue: text('venue'),
    city: text('city'),
    instructor: text('instructor'),
    courseCategory: text('category'),
    season: text('season'),
    season2: '',
    day,
    weekdays: [day],
    startTime: dateOf(`0-0-0 ${row.startTime}`),
    endTime: dateOf(`0-0-0 ${row.endTime}`),
    start: dateOf(row.start ?? ''),
    end: dateOf(row.end ?? row.start ?? ''),
    fee: Number(String(row.fee ?? 0).replace(',', '.')),
    energyFee: Number(String(row.energyFee || 0).replace(',', '.')),
  })
}

/** The courses of a programme as the list has them; null where it is not at hand. */
export function readProgramme(name: Programme): Course[] | null {
  if (name === 'demo') return readDemo()
  const file = `${FOLDER}/${name}.json`
  if (!existsSync(file)) return null
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[]
  return rows.filter(row => row.start && row.startTime && row.endTime).map((row, index) => courseOf(row, index))
}

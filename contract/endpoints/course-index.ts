import { keysOf } from '../records.ts'
import { type ColumnEncoding, EMPTY_FIELD_VALUES, INDEX_FIELD_ENCODINGS } from '../tables/course.ts'
import type { DateTimeValue } from '../values.ts'
import type { Course, CourseIndex } from './courses.ts'

/**
 * Course fields of the index, which list cards, search and filters use, with the encoding of each column. `text` is an
 * offset into `texts`, `moment` a number with the digits YYYYMMDDhhmmss, `flag` 0 or 1, `days` a bitmask of weekdays,
 * and `plain` unencoded. See docs/decisions/0025.
 */
export const INDEX_COLUMNS = {
  ...INDEX_FIELD_ENCODINGS,
  id: 'plain',
  weekdays: 'days',
  running: 'flag',
  currentParticipants: 'plain',
  currentWaiting: 'plain',
  currentBooked: 'plain',
  cancelled: 'flag',
  courseCategory: 'text',
  courseCategory2: 'text',
  categoryIcon: 'text',
  season: 'text',
  season2: 'text',
  seasonBookable: 'flag',
} as const satisfies Partial<Record<keyof Course, ColumnEncoding>>

type IndexField = keyof typeof INDEX_COLUMNS
type Cell = string | number | null

/** A course in the index. Its `textWeb` and `textWeb2` are teasers without markup. */
export type IndexedCourse = Pick<Course, IndexField>
type Value = IndexedCourse[IndexField]

const fields = keysOf(INDEX_COLUMNS)

const digitsOf = ({ year, month, day, hour, minute, second }: DateTimeValue) =>
  ((((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second

const WEEK = [0, 1, 2, 3, 4, 5, 6]
const bitsOf = (days: readonly number[]) => days.reduce((bits, day) => bits | (1 << day), 0)
const daysOf = (bits: number) => WEEK.filter(day => bits & (1 << day))

const dateTimeOf = (digits: number): DateTimeValue => {
  const pair = (position: number) => Math.floor(digits / 100 ** position) % 100
  return {
    year: Math.floor(digits / 100 ** 5),
    month: pair(4),
    day: pair(3),
    hour: pair(2),
    minute: pair(1),
    second: pair(0),
  }
}

/**
 * Encodes courses column by column and stores each distinct text once. Repeated neighbouring values compress to almost
 * nothing.
 */
export function encodeCourseIndex(courses: readonly IndexedCourse[]): CourseIndex {
  const indexes = new Map<string, number>()
  const indexOf = (text: string) => {
    const index = indexes.get(text) ?? indexes.size
    indexes.set(text, index)
    return index
  }
  const cellOf = (value: Value): Cell => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (Array.isArray(value)) return bitsOf(value)
    return typeof value === 'object' && value !== null ? digitsOf(value) : value
  }
  const columns: Record<string, Cell[]> = {}
  for (const field of fields) {
    columns[field] = courses.map(course =>
      INDEX_COLUMNS[field] === 'text' ? indexOf(String(course[field])) : cellOf(course[field]),
    )
  }
  return { texts: [...indexes.keys()], columns }
}

const decodeCell = {
  text: (cell: Cell, texts: string[]) => texts[Number(cell)],
  moment: (cell: Cell) => dateTimeOf(Number(cell)),
  flag: (cell: Cell) => cell === 1,
  days: (cell: Cell) => daysOf(Number(cell)),
  plain: (cell: Cell) => cell,
}

/** Values for columns that are missing from an index of an earlier version. */
const absent: Partial<Record<IndexField, Value>> = EMPTY_FIELD_VALUES
const valueIfAbsent = (field: IndexField, columns: CourseIndex['columns'], row: number): Value | undefined =>
  field === 'weekdays' ? [Number(columns.day?.[row])] : absent[field]

/**
 * Decodes a course index, including cached ones from earlier versions. Column by column, it takes a third of the time of
 * course by course.
 * @throws Error if a column is missing or too short
 */
export function decodeCourseIndex({ texts, columns }: CourseIndex): IndexedCourse[] {
  const courses = Array.from(columns.id ?? [], (): Partial<Record<IndexField, Value>> => ({}))
  for (const field of fields) {
    const [cells, decode] = [columns[field], decodeCell[INDEX_COLUMNS[field]]]
    courses.forEach((course, row) => {
      const cell = cells?.[row]
      const value = cell === undefined ? undefined : decode(cell, texts)
      const filled = cells === undefined ? valueIfAbsent(field, columns, row) : value
      if (filled === undefined) throw new Error(`course index: no value for ${field}`)
      course[field] = filled
    })
  }
  return courses as IndexedCourse[]
}

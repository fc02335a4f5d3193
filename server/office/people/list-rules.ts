import { escapeFormula } from '#contract/escape-formula.ts'
import { type Language, language as languageSchema } from '#contract/values.ts'
import type { SheetCell } from '#server/platform/pdf/spreadsheet.ts'
import { translate } from '#server/platform/texts/translate.ts'

const NEEDS_QUOTES = /[;"\r\n]/
const BOM = '\uFEFF'

const languages = languageSchema.options

/** A table whose first row contains the column names. */
export type ListTable = readonly (readonly SheetCell[])[]

/**
 * Converts objects to a table.
 * @param rows rows that all have these columns
 */
export const toListTable = <Column extends string>(
  columns: readonly Column[],
  rows: Record<Column, SheetCell>[],
): ListTable => [columns, ...rows.map(row => columns.map(column => row[column]))]

function writeCell(cell: SheetCell): string {
  if (cell === null) return ''
  // Amounts have a decimal comma, as German versions of Excel expect.
  if (typeof cell === 'object') return (cell.cents / 100).toFixed(2).replace('.', ',')
  if (typeof cell !== 'string') return String(cell)
  const text = escapeFormula(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes CSV for Excel: UTF-8 with BOM, semicolons, CRLF. */
export const writeCsv = (table: ListTable): Uint8Array =>
  Buffer.from(`${BOM}${table.map(row => `${row.map(writeCell).join(';')}\r\n`).join('')}`)

/**
 * Rows of a workbook. Workbook cells are never formulas, but formula-like texts are escaped in case the file is saved
 * as CSV.
 */
export const toSheetRows = (table: ListTable): ListTable =>
  table.map(row => row.map(cell => (typeof cell === 'string' ? escapeFormula(cell) : cell)))

/** Columns with numbers that are no quantities, whose leading zeros belong to them, and with names, which may be numbers. */
const TEXT_COLUMNS = [
  'courseNumber',
  'personnelNumber',
  'ownerPersonnelNumber',
  'bkkNumber',
  'zip',
  'phone',
  'season',
  'course',
  'category',
  'division',
  'site',
  'venue',
  'city',
  'weekdays',
]

/** Positions of the columns that are text in a workbook, by their names in English or in the languages of the lists. */
export function findTextColumns([head = []]: ListTable): number[] {
  const labels = new Set(
    TEXT_COLUMNS.flatMap(column => [column, ...languages.map(one => translate(one, `lists.column.${column}`))]),
  )
  return head.flatMap((name, index) => (labels.has(String(name)) ? [index] : []))
}

export const toSheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\'\p{Cc}]/gu, ' ')
    .slice(0, 31)
    .trim() || 'Excel'

type Filled = { places: number; booked: number; waiting: number }
type Occupancy = Filled & { key: string; courses: number }

/** Groups courses and totals their seats, bookings and waiting-list entries. A course may belong to several groups. */
export function summarizeOccupancy<Course extends Filled>(
  courses: Course[],
  keysOf: (course: Course) => string[],
): Occupancy[] {
  const sums = new Map<string, Occupancy>()
  for (const course of courses) {
    for (const key of keysOf(course)) {
      const sum = sums.get(key) ?? { key, courses: 0, places: 0, booked: 0, waiting: 0 }
      sums.set(key, {
        key,
        courses: sum.courses + 1,
        places: sum.places + course.places,
        booked: sum.booked + course.booked,
        waiting: sum.waiting + course.waiting,
      })
    }
  }
  return [...sums.values()].sort((a, b) => a.key.localeCompare(b.key, 'de', { numeric: true }))
}

/** Columns whose cells contain codes. */
const CODED = ['state', 'charge', 'payroll']

/** Translates a list's column names and codes into the user's language. API clients get the untranslated codes. */
export function translateTable([head = [], ...rows]: ListTable, language: Language): ListTable {
  const columns = head.map(String)
  const translateCell = (cell: SheetCell, column: string): SheetCell => {
    if (typeof cell === 'boolean') return translate(language, cell ? 'lists.yes' : 'lists.no')
    const isCode = typeof cell === 'string' && cell !== '' && CODED.includes(column)
    return isCode ? translate(language, `lists.value.${column}.${cell}`) : cell
  }
  return [
    columns.map(column => translate(language, `lists.column.${column}`)),
    ...rows.map(row => row.map((cell, index) => translateCell(cell, columns[index] ?? ''))),
  ]
}

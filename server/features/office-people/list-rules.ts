import type { SheetCell } from '#server/pdf/spreadsheet.ts'

/** What a spreadsheet could take for a formula (OWASP, CSV injection), also behind blanks: an apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
const NEEDS_QUOTES = /[;"\r\n]/
const BOM = '\uFEFF'

/** The first row has the names of the columns. */
export type Table = readonly (readonly SheetCell[])[]

/** @param rows the same columns each */
export const toTable = <Column extends string>(
  columns: readonly Column[],
  rows: Record<Column, SheetCell>[],
): Table => [columns, ...rows.map(row => columns.map(column => row[column]))]

const harmless = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

function writeCell(cell: SheetCell): string {
  if (cell === null) return ''
  // A number with a comma, as a German spreadsheet reads it.
  if (typeof cell === 'object') return (cell.cents / 100).toFixed(2).replace('.', ',')
  if (typeof cell !== 'string') return String(cell)
  const text = harmless(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A list as Excel opens it: UTF-8 with its mark, semicolons, CRLF. */
export const writeCsv = (table: Table): Uint8Array =>
  Buffer.from(`${BOM}${table.map(row => `${row.map(writeCell).join(';')}\r\n`).join('')}`)

/** The rows of a workbook: a cell of it is no formula, but somebody may save it as CSV again. */
export const toSheetRows = (table: Table): Table =>
  table.map(row => row.map(cell => (typeof cell === 'string' ? harmless(cell) : cell)))

export const toSheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\'\p{Cc}]/gu, ' ')
    .slice(0, 31)
    .trim() || 'Excel'

type Filled = { places: number; booked: number; waiting: number }
export type Filling = Filled & { key: string; courses: number }

/** Sums courses up by what they have in common; one course may count in several. */
export function sumUp<Course extends Filled>(courses: Course[], keysOf: (course: Course) => string[]): Filling[] {
  const sums = new Map<string, Filling>()
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

/** What a spreadsheet would take for a formula: it gets an apostrophe in front, and is text. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[;"\r\n]/
const BOM = '\uFEFF'

type Cell = string | number | boolean | null

/** @param amount in cents: a number with a comma, as a German spreadsheet reads it */
export const cents = (amount: number): string => (amount / 100).toFixed(2).replace('.', ',')

function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A list as Excel opens it: UTF-8 with its mark, semicolons, CRLF. @param rows the same columns each */
export function writeCsv<Column extends string>(columns: readonly Column[], rows: Record<Column, Cell>[]): Uint8Array {
  const lines = rows.map(row => columns.map(column => writeCell(row[column])).join(';'))
  return Buffer.from(`${BOM}${[columns.join(';'), ...lines].join('\r\n')}\r\n`)
}

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

import writeXlsxFile, { type Feature } from 'write-excel-file/universal'

/** Value of a cell. `cents`: amount of money in cents. */
export type SheetCell = string | number | boolean | null | { cents: number }
/**
 * Content of a sheet, whose first row contains the column names. `textColumns`: positions of columns whose strings remain
 * strings even if they look like numbers or dates.
 */
export type SheetContent = {
  name: string
  rows: readonly (readonly SheetCell[])[]
  textColumns?: readonly number[]
}

const DAY_FORMAT = 'yyyy-mm-dd'
const widthOf = (cells: readonly SheetCell[]) =>
  Math.min(60, Math.max(8, ...cells.slice(0, 100).map(cell => String(cell ?? '').length + 2)))

const coded = (text: string) =>
  text
    .split('')
    .map(unit => `_x${unit.charCodeAt(0).toString(16).padStart(4, '0')}_`)
    .join('')

/**
 * Escapes strings that look like an escaped character (`_x0041_`), and names of object properties such as
 * `constructor`, because the library looks strings up in a plain object.
 */
const writeText = (text: string): string =>
  text in {}
    ? coded(text.slice(0, 1)) + text.slice(1)
    : text
        .replace(/_x[0-9A-Fa-f]{4}_/g, found => coded('_') + found.slice(1))
        .replace(/[\p{Noncharacter_Code_Point}\uFFFD]/gu, coded)

/** Converts a string to a date, time or number if the conversion is lossless. Other strings remain strings. */
function typed(text: string) {
  const day = /^(\d{4}-\d\d-\d\d)(?:([ T])(\d\d:\d\d))?$/.exec(text)
  const at = day ? new Date(`${day[1]}T${day[3] ?? '00:00'}Z`) : null
  // Spreadsheet programs show dates before March 1900 incorrectly. Invalid dates such as 31 February remain strings.
  const isDay =
    at !== null && text > '1901' && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day?.[1] ?? '')
  // Midnight is excluded, because it would be read back as a date without a time.
  if (isDay && day?.[2] !== 'T' && day?.[3] !== '00:00')
    return { value: at, type: Date, format: day?.[3] ? `${DAY_FORMAT} hh:mm` : DAY_FORMAT }
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined && minutes !== undefined)
    return { value: (Number(hours) * 60 + Number(minutes)) / 1440, type: Number, format: 'hh:mm' }
  if (/^\d{1,9}\.\d\d$/.test(text) && !/^0\d/.test(text)) return { value: Number(text), type: Number, format: '0.00' }
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return { value: Number(text), type: Number }
  return { value: writeText(text), type: String }
}

function toCell(cell: SheetCell, isText: boolean) {
  if (cell === null || cell === '') return null
  if (typeof cell === 'string') return isText ? { value: writeText(cell), type: String } : typed(cell)
  if (typeof cell === 'object') return { value: Math.round(cell.cents) / 100, type: Number, format: '0.00' }
  return { value: cell, type: typeof cell === 'number' ? Number : Boolean }
}

/** Number of the first format that is not reserved for built-in ones. The library begins with 100. */
const FIRST_FORMAT_SHIFT = 164 - 100

/**
 * Completes the styles for readers that take numbers below 164 for built-in formats, or count only styles that name a
 * format: they return days as numbers, and numbers as days.
 */
const completeStyles: Feature<Blob> = {
  files: {
    transform: {
      'xl/styles.xml': {
        transform: xml =>
          xml
            .replace(/numFmtId="(1\d\d)"/g, (_, id) => `numFmtId="${Number(id) + FIRST_FORMAT_SHIFT}"`)
            .replace(/<xf (?!numFmtId)/g, '<xf numFmtId="0" '),
      },
    },
  },
}

/** Creates an Excel workbook. Texts are never interpreted as formulas (CSV injection). */
export async function renderSpreadsheet(sheets: readonly SheetContent[]): Promise<Uint8Array> {
  const blob = await writeXlsxFile(
    sheets.map(({ name, rows, textColumns = [] }) => ({
      sheet: name,
      data: rows.map((row, index) =>
        row.map((cell, column) =>
          index === 0
            ? { value: writeText(String(cell)), fontWeight: 'bold' as const }
            : toCell(cell, textColumns.includes(column)),
        ),
      ),
      columns: rows[0]?.map((_, column) => ({ width: widthOf(rows.map(row => row[column] ?? null)) })) ?? [],
      stickyRowsCount: 1,
    })),
    { features: [completeStyles] },
  ).toBlob()
  return new Uint8Array(await blob.arrayBuffer())
}

import { message, type TranslatableMessage } from './messages.ts'
import { quoteForMessage, UnreadableFile } from './problems.ts'
import type { CsvContent } from './read-csv.ts'
import {
  formatCellNumber,
  formatIsoValue,
  MAX_FORMAT_LENGTH,
  type NumberFormat,
  readNumberFormat,
} from './sheet-numbers.ts'
import { type PartReader, pathOf, readRelationships, walk, withParts } from './xlsx-parts.ts'

/** Maximum number of rows in all sheets together, because a workbook can list one sheet many times. */
const MAX_ROWS = 100_000
const MAX_COLUMNS = 200
const MAX_CELLS = 1_000_000
/** Maximum size of all returned cells in MB. It is limited separately, because many cells can share one text. */
const MAX_TEXT_MB = 10
/** Excel's own limit. */
const MAX_CELL_LENGTH = 32_767
/** Maximum number of reported problems; even a single problem rejects the file. */
const MAX_WRONG = 1_000
/** Number of bytes that the quotes and the comma add to each value in the JSON result. */
const BYTES_AROUND_CELL = 3

type SheetRow = { row: number; cells: string[] }
/**
 * `hiddenRows`: numbers of the filled rows that a filter hides, for example; `wrong`: cells without a usable value, with
 * their reference such as `C3`
 */
export type Sheet = {
  name: string
  isHidden: boolean
  rows: SheetRow[]
  hiddenRows: number[]
  wrong: { row: number; cell: string; text: TranslatableMessage }[]
}

/** Decodes escaped characters that XML cannot represent (`_x000D_`) and normalizes line endings. */
const cleanText = (text: string) =>
  text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')

/** Reads the workbook's shared strings, without phonetic hints. */
function readSharedTexts(xml: string | undefined): string[] {
  const texts: string[] = []
  let [text, isText, isHint] = ['', false, false]
  walk(xml ?? '<sst/>', {
    open: tag => {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') isHint = true
      isText = tag === 't' && !isHint
    },
    close: tag => {
      if (tag === 'si') texts.push(cleanText(text))
      else if (tag === 'rPh') isHint = false
      isText = false
    },
    text: value => {
      if (isText) text += value
    },
  })
  return texts
}

/** Reads the number formats. @returns function that finds the format for a cell's style index */
function readFormats(xml: string | undefined): (style: number) => NumberFormat {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isCellStyle = false
  walk(xml ?? '<styleSheet/>', {
    open: (tag, attributeOf) => {
      if (tag === 'numFmt') {
        const code = attributeOf('formatCode')
        if (code.length > MAX_FORMAT_LENGTH)
          throw new UnreadableFile(
            message`holds a number format of ${code.length} characters, at most ${MAX_FORMAT_LENGTH} are possible`,
          )
        codes.set(Number(attributeOf('numFmtId')), code)
      } else if (tag === 'cellXfs') isCellStyle = true
      else if (tag === 'xf' && isCellStyle) ids.push(Number(attributeOf('numFmtId')))
    },
    close: tag => {
      if (tag === 'cellXfs') isCellStyle = false
    },
  })
  const formats = new Map<number, NumberFormat>()
  return style => {
    const id = ids[style]
    if (id === undefined) return { kind: 'plain' }
    const format = formats.get(id) ?? readNumberFormat(id, codes.get(id))
    formats.set(id, format)
    return format
  }
}

/** Parses a cell reference such as 'C3' to the 1-based column and row; null if the reference is invalid. */
function readAddress(address: string): Address | null {
  // Some programs write lower case: the schema allows any text.
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address.toUpperCase()) ?? []
  let column = 0
  for (let index = 0; index < letters.length; index += 1) column = column * 26 + letters.charCodeAt(index) - 64
  return letters ? { column, row: Number(digits) } : null
}
const nameOfColumn = (column: number): string =>
  column > 26
    ? nameOfColumn(Math.floor((column - 1) / 26)) + nameOfColumn(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column)

const badReference = (text: string) => message`holds a cell reference that cannot be read: ${quoteForMessage(text)}`

/** `hasResults`: whether the stored results of formulas are valid */
type Book = { texts: string[]; formatOf: (style: number) => NumberFormat; is1904: boolean; hasResults: boolean }
type Cell = { type: string; style: number; value: string | null; inline: string; isFormula: boolean }

const isTrue = (attribute: string) => /^(?:1|true)$/.test(attribute)

/** Values of a boolean in XML Schema. */
const BOOLEANS = new Map([
  ['1', 'true'],
  ['true', 'true'],
  ['0', 'false'],
  ['false', 'false'],
])

const MISSING_RESULT = message`holds a formula without its result: open and save the file in the spreadsheet program`

/** Reads the value that a cell displays. For formulas, this is the cached result; nothing is recalculated. */
function readValue(
  { type, style, value, inline, isFormula }: Cell,
  { texts, formatOf, is1904, hasResults }: Book,
): string | TranslatableMessage {
  if (isFormula && !hasResults) return MISSING_RESULT
  // Text may be inline whatever the type says.
  if (inline !== '' && value === null) return cleanText(inline)
  if (type === 'inlineStr') return cleanText(inline || (value ?? ''))
  if (value === null || (value === '' && type !== 'str')) return isFormula ? MISSING_RESULT : ''
  if (type === 's') return texts[Number(value)] ?? message`holds nothing that can be read`
  if (type === 'str') return cleanText(value)
  if (type === 'b') return BOOLEANS.get(value.trim()) ?? message`holds nothing that can be read`
  if (type === 'e') return message`holds an error of the spreadsheet: ${value.slice(0, 20)}`
  if (type === 'd') return formatIsoValue(value)
  const number = Number(value)
  return Number.isFinite(number)
    ? formatCellNumber(number, formatOf(style), is1904)
    : message`holds nothing that can be read`
}

/** Counts cells and rows of a workbook while they are read, to enforce the limits early. */
function createCounter() {
  let rows = 0
  let cells = 0
  let bytes = 0
  return {
    /**
     * Counts a row.
     * @returns a message if a limit is exceeded, otherwise null
     */
    row: (): TranslatableMessage | null => (++rows > MAX_ROWS ? message`has more than ${MAX_ROWS} rows` : null),
    cell: (): TranslatableMessage | null => (++cells > MAX_CELLS ? message`has more than ${MAX_CELLS} cells` : null),
    text: (length: number, values: number): TranslatableMessage | null => {
      bytes += length + values * BYTES_AROUND_CELL
      return bytes > MAX_TEXT_MB << 20 ? message`holds more than ${MAX_TEXT_MB} MB of text` : null
    },
  }
}

type Address = { column: number; row: number }
type IsAt = (address: Address) => boolean
type ListedSheet = { name: string; isHidden: boolean }
type Counter = ReturnType<typeof createCounter>

/**
 * Reports the cells that merged cells cover in further rows: a person sees the value in each row, but only the first one
 * has it.
 * @param count is called for each covered row, to enforce the limits
 */
function reportCoveredCells({ rows, wrong }: Sheet, ranges: readonly string[], count: () => void): void {
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]))
  const lastRow = rows.reduce((last, { row }) => Math.max(last, row), 0)
  for (const range of ranges) {
    const [first, last] = range.split(':').map(readAddress)
    if (!first || !last || !cellsOf.get(first.row)?.[first.column - 1]?.trim()) continue
    for (let row = first.row + 1; row <= Math.min(last.row, lastRow); row++) {
      count()
      if (cellsOf.has(row) && wrong.length < MAX_WRONG)
        wrong.push({
          row,
          cell: `${nameOfColumn(first.column)}${row}`,
          text: message`belongs to the merged cells ${range}: split them and fill each row`,
        })
    }
  }
}

/** Finds the cells of the rows that the tables of a sheet declare as their totals, below the data. */
async function readTotals(sheetPath: string, readPart: PartReader): Promise<IsAt> {
  const areas: [first: Address, last: Address][] = []
  for (const { type, path } of (await readRelationships(sheetPath, readPart)).values()) {
    if (type !== 'table') continue
    walk((await readPart(path)) ?? '<table/>', {
      open: (tag, attributeOf) => {
        const count = Number(attributeOf('totalsRowCount'))
        const [first, last] = attributeOf('ref').split(':').map(readAddress)
        if (tag === 'table' && count > 0 && first && last)
          areas.push([{ ...first, row: Math.max(first.row, last.row - count + 1) }, last])
      },
    })
  }
  return ({ row, column }) =>
    areas.some(
      ([first, last]) => row >= first.row && row <= last.row && column >= first.column && column <= last.column,
    )
}

/** @param isTotal whether a cell is no data */
function readRows(
  xml: string,
  { name, isHidden }: ListedSheet,
  { book, counter, isTotal }: { book: Book; counter: Counter; isTotal: IsAt },
): Sheet {
  const sheet: Sheet = { name, isHidden, rows: [], hiddenRows: [], wrong: [] }
  const refuse = (problem: TranslatableMessage | null) => {
    if (problem) throw new UnreadableFile(message`sheet ${name}: ${problem}`)
  }
  let at = { row: 0, column: 0 }
  let lastRow = 0
  const filled = new Set<number>()
  const merged: string[] = []
  /** whether the number of the current row is certain */
  let isPlaced = false
  let cells: string[] = []
  let cell: Cell | null = null
  let [into, isHint, isRowHidden] = ['', false, false]
  const finish = (done: Cell) => {
    const value = readValue(done, book)
    if (value === '' || isTotal(at)) return
    if (at.column > MAX_COLUMNS) refuse(message`has more than ${MAX_COLUMNS} columns`)
    // The limit includes empty rows in between, because they are part of the result.
    if (at.row > MAX_ROWS) refuse(message`has more than ${MAX_ROWS} rows`)
    refuse(counter.text(0, Math.max(0, at.row - lastRow)))
    lastRow = Math.max(lastRow, at.row)
    const isTooLong = typeof value === 'string' && value.length > MAX_CELL_LENGTH
    const text = isTooLong ? message`has ${value.length} characters, at most ${MAX_CELL_LENGTH} fit` : value
    if (typeof text === 'string') {
      refuse(counter.text(text.length, Math.max(1, at.column - cells.length)))
      if (cells[at.column - 1]) refuse(message`has the cell ${nameOfColumn(at.column)}${at.row} twice`)
      while (cells.length < at.column - 1) cells.push('')
      cells[at.column - 1] = text
    } else if (sheet.wrong.length < MAX_WRONG)
      sheet.wrong.push({ row: at.row, cell: `${nameOfColumn(at.column)}${at.row}`, text })
  }
  walk(xml, {
    open: (tag, attributeOf) => {
      if (tag === 'row') {
        refuse(counter.row())
        const row = attributeOf('r')
        if (row !== '' && !/^[1-9]\d{0,6}$/.test(row)) refuse(badReference(row))
        at = { row: row === '' ? at.row + 1 : Number(row), column: 0 }
        isPlaced = row !== ''
        isRowHidden = isTrue(attributeOf('hidden'))
        cells = []
      } else if (tag === 'c') {
        refuse(counter.cell())
        const address = attributeOf('r')
        const place = address === '' ? { row: at.row, column: at.column + 1 } : readAddress(address)
        // A cell in another row than that around it would take the place of another cell.
        if (place === null || (isPlaced && place.row !== at.row)) refuse(badReference(address))
        else at = place
        isPlaced = true
        cell = {
          type: attributeOf('t') || 'n',
          style: Number(attributeOf('s')),
          value: null,
          inline: '',
          isFormula: false,
        }
      } else if (tag === 'mergeCell') merged.push(attributeOf('ref'))
      else if (tag === 'f' && cell) cell.isFormula = true
      else if (tag === 'v' && cell) cell.value = ''
      else if (tag === 'rPh') isHint = true
      into = tag
    },
    close: tag => {
      into = ''
      if (tag === 'rPh') isHint = false
      else if (tag === 'c' && cell) {
        finish(cell)
        cell = null
      } else if (tag === 'row' && cells.some(one => one.trim() !== '')) {
        if (filled.has(at.row)) refuse(message`has the row ${at.row} twice`)
        filled.add(at.row)
        sheet.rows.push({ row: at.row, cells })
        if (isRowHidden) sheet.hiddenRows.push(at.row)
      }
    },
    text: value => {
      if (!cell) return
      if (into === 'v') cell.value += value
      else if (into === 't' && !isHint) cell.inline += value
    },
  })
  reportCoveredCells(sheet, merged, () => refuse(counter.cell()))
  return sheet
}

/**
 * Reads a workbook's cells as CSV values. Formulas are not evaluated, and links are not followed. See
 * docs/decisions/0039.
 * @throws UnreadableFile
 */
export const readXlsx = (content: Buffer): Promise<Sheet[]> => withParts(content, readBook)

async function readBook(readPart: PartReader): Promise<Sheet[]> {
  const workbookPath = pathOf(await readRelationships('', readPart), 'officeDocument', 'xl/workbook.xml')
  const workbook = await readPart(workbookPath)
  if (workbook === undefined)
    throw new UnreadableFile(message`is no Excel file (.xlsx) that can be read (${workbookPath})`)
  const relationships = await readRelationships(workbookPath, readPart)
  const listed: (ListedSheet & { id: string })[] = []
  let [is1904, hasResults] = [false, true]
  walk(workbook, {
    open: (tag, attributeOf) => {
      if (tag === 'sheet')
        listed.push({
          name: attributeOf('name'),
          id: attributeOf('id'),
          isHidden: /hidden$/i.test(attributeOf('state')),
        })
      else if (tag === 'workbookPr') is1904 = isTrue(attributeOf('date1904'))
      // Libraries that cannot calculate, such as XlsxWriter, store 0 as the result of each formula.
      else if (tag === 'calcPr') hasResults = !isTrue(attributeOf('fullCalcOnLoad'))
    },
  })
  const book = {
    texts: readSharedTexts(await readPart(pathOf(relationships, 'sharedStrings', 'xl/sharedStrings.xml'))),
    formatOf: readFormats(await readPart(pathOf(relationships, 'styles', 'xl/styles.xml'))),
    is1904,
    hasResults,
  }
  const counter = createCounter()
  const sheets: Sheet[] = []
  for (const { id, ...sheet } of listed) {
    const { name } = sheet
    const { type, path } = relationships.get(id) ?? { type: '', path: '' }
    // Chart and dialog sheets contain no cells.
    if (type === 'chartsheet' || type === 'dialogsheet') continue
    const xml = await readPart(path)
    const missing = message`is missing in the file`
    if (xml === undefined) throw new UnreadableFile(message`sheet ${name}: ${missing}`)
    sheets.push(readRows(xml, sheet, { book, counter, isTotal: await readTotals(path, readPart) }))
  }
  return sheets
}

/**
 * Table with its rows at their original positions. `hiddenRows`: numbers of those that the spreadsheet hides;
 * `otherSheets`: names of sheets that have cells, too
 */
export type Table = { sheet: string; rows: string[][]; hiddenRows: number[]; otherSheets: string[] }

function placeRows(records: readonly SheetRow[]): string[][] {
  const lastRow = records.reduce((last, { row }) => Math.max(last, row), 0)
  const rows: string[][] = Array.from({ length: lastRow }, () => [])
  for (const { row, cells } of records) rows[row - 1] = cells
  return rows
}

/**
 * Returns the first visible sheet that is not empty, otherwise the first hidden one.
 * @throws UnreadableFile if a cell has no usable value or all sheets are empty
 */
export function toFirstFilledTable(sheets: readonly Sheet[]): Table {
  const filled = sheets.filter(({ rows, wrong }) => rows.length + wrong.length > 0)
  const sheet = filled.find(({ isHidden }) => !isHidden) ?? filled[0]
  if (sheet === undefined) throw new UnreadableFile(message`holds nothing that can be read`)
  const [wrong] = sheet.wrong
  if (wrong) throw new UnreadableFile(message`sheet ${sheet.name}: ${wrong.cell} ${wrong.text}`)
  const otherSheets = filled.filter(one => one !== sheet).map(({ name }) => name)
  return { sheet: sheet.name, rows: placeRows(sheet.rows), hiddenRows: sheet.hiddenRows, otherSheets }
}

/** @throws UnreadableFile */
export function toCsvTable(content: CsvContent): Table {
  if ('text' in content) throw new UnreadableFile(message`line ${content.line}: ${content.text}`)
  return { sheet: '', rows: placeRows(content.records), hiddenRows: [], otherSheets: [] }
}

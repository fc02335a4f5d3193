import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import ExcelJS from 'exceljs'
import { writeXlsx } from 'hucre'
import * as SheetJS from 'xlsx'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { hasModule, isInstalled, PYTHON, run } from './programs.ts'

/**
 * A cell of a programme. Days and times are Excel's serial numbers with a number format, as spreadsheets store them.
 */
export type Cell = { value: string | boolean } | { value: number; format: string }
export type Sheet = { name: string; rows: Cell[][] }
type Writer = (sheets: readonly Sheet[]) => Promise<Uint8Array>

const DAY_MS = 86_400_000
const EPOCH_MS = Date.UTC(1899, 11, 30)
const serialOf = (day: string) => (Date.parse(`${day}T00:00Z`) - EPOCH_MS) / DAY_MS
const dayPart = (time: string) => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) / 1440

/** Gives the text of a CSV cell the type that a person gives it in a spreadsheet. */
export function toCell(text: string): Cell {
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { value: serialOf(text), format: 'yyyy-mm-dd' }
  if (/^\d\d:\d\d$/.test(text)) return { value: dayPart(text), format: 'hh:mm' }
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text))
    return { value: serialOf(text.slice(0, 10)) + dayPart(text.slice(11)), format: 'yyyy-mm-dd hh:mm' }
  if (/^(?:0|[1-9]\d{0,8})\.\d\d$/.test(text)) return { value: Number(text), format: '#,##0.00' }
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? { value: Number(text), format: 'General' } : { value: text }
}

/** Calls `act` for each filled cell, with row and column from 1. */
function forEachCell(rows: Sheet['rows'], act: (cell: Cell, row: number, column: number) => void): void {
  for (const [row, cells] of rows.entries())
    for (const [column, cell] of cells.entries()) if (cell.value !== '') act(cell, row + 1, column + 1)
}

const exceljs: Writer = async sheets => {
  const book = new ExcelJS.Workbook()
  for (const { name, rows } of sheets) {
    const sheet = book.addWorksheet(name)
    forEachCell(rows, (cell, row, column) => {
      const target = sheet.getCell(row, column)
      target.value = cell.value
      if ('format' in cell) target.numFmt = cell.format
    })
  }
  return new Uint8Array(await book.xlsx.writeBuffer())
}

/** A day or time as Excel writes it in ISO 8601, times with the rounding noise of its numbers. */
function toIso(serial: number, format: string): string {
  const moment = new Date(EPOCH_MS + Math.round(serial * 86_400) * 1_000).toISOString()
  const [day, clock] = [moment.slice(0, 10), moment.slice(11, 19)]
  if (!format.includes('h')) return day
  const [noisy] = new Date(Date.parse(`1970-01-01T${clock}Z`) - 1_000).toISOString().slice(11).split('.')
  const time = clock === '00:00:00' ? clock : `${noisy}.9999999999999984025`
  return format.includes('y') ? `${day}T${time}` : time
}

/** Excel's "Strict Open XML": the same workbook with other namespaces, days and times as ISO 8601. */
const strict: Writer = async sheets => {
  const opened = await fromBufferPromise(Buffer.from(await exceljs(sheets)), { lazyEntries: true })
  const parts = new Map<string, string>()
  for await (const entry of opened.eachEntry())
    if (!entry.fileName.endsWith('/'))
      parts.set(entry.fileName, (await buffer(await opened.openReadStreamPromise(entry))).toString('utf8'))
  const styles = parts.get('xl/styles.xml') ?? ''
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  )
  const [cellStyles = ''] = /<cellXfs[\s\S]*<\/cellXfs>/.exec(styles) ?? []
  const formats = [...cellStyles.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => codes.get(id) ?? '')
  const zip = new ZipFile()
  for (const [name, xml] of parts) {
    const text = xml
      .replaceAll(
        'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
        'http://purl.oclc.org/ooxml/spreadsheetml/main',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006/',
        'http://purl.oclc.org/ooxml/officeDocument/',
      )
      .replace('<workbook ', '<workbook conformance="strict" ')
      .replaceAll(
        /<c r="(\w+)" s="(\d+)"><v>([^<]*)<\/v><\/c>/g,
        (cell, place: string, style: string, value: string) => {
          const format = formats[Number(style)] ?? ''
          return /[yh]/.test(format)
            ? `<c r="${place}" s="${style}" t="d"><v>${toIso(Number(value), format)}</v></c>`
            : cell
        },
      )
    zip.addBuffer(Buffer.from(text), name)
  }
  zip.end()
  return buffer(zip.outputStream)
}

const sheetjs: Writer = async sheets => {
  const book = SheetJS.utils.book_new()
  for (const { name, rows } of sheets) {
    const written = rows.map(cells =>
      cells.map(cell =>
        cell.value === ''
          ? null
          : 'format' in cell
            ? { t: 'n', v: cell.value, z: cell.format }
            : { t: typeof cell.value === 'boolean' ? 'b' : 's', v: cell.value },
      ),
    )
    SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet(written), name)
  }
  return SheetJS.write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
}

const hucre: Writer = sheets =>
  writeXlsx({
    sheets: sheets.map(({ name, rows }) => ({
      name,
      rows: rows.map(cells => cells.map(({ value }) => (value === '' ? null : value))),
      cells: new Map(
        rows.flatMap((cells, row) =>
          cells.flatMap((cell, column) =>
            'format' in cell ? [[`${row},${column}`, { style: { numFmt: cell.format } }] as const] : [],
          ),
        ),
      ),
    })),
  })

const require = createRequire(import.meta.url)

const xlsxPopulate: Writer = async sheets => {
  const book = await require('xlsx-populate').fromBlankAsync()
  sheets.forEach(({ name, rows }, index) => {
    const sheet = index === 0 ? book.sheet(0).name(name) : book.addSheet(name)
    forEachCell(rows, (cell, row, column) => {
      const target = sheet.cell(row, column).value(cell.value)
      if ('format' in cell) target.style('numberFormat', cell.format)
    })
  })
  return book.outputAsync('uint8array')
}

/** @param version package of the version */
const excel4node =
  (version: string): Writer =>
  async sheets => {
    const excel = require(version)
    const book = new excel.Workbook()
    for (const { name, rows } of sheets) {
      const sheet = book.addWorksheet(name)
      forEachCell(rows, (cell, row, column) => {
        const target = sheet.cell(row, column)
        if ('format' in cell) target.number(cell.value).style({ numberFormat: cell.format })
        else if (typeof cell.value === 'boolean') target.bool(cell.value)
        else target.string(cell.value)
      })
    }
    return book.writeToBuffer()
  }

const OPENPYXL = `
import io, json, sys
from openpyxl import Workbook
book = Workbook()
book.remove(book.active)
for sheet in json.load(sys.stdin):
    page = book.create_sheet(sheet['name'])
    for r, cells in enumerate(sheet['rows'], 1):
        for c, cell in enumerate(cells, 1):
            if cell['value'] == '' and cell['value'] is not False: continue
            target = page.cell(r, c, cell['value'])
            if 'format' in cell: target.number_format = cell['format']
out = io.BytesIO()
book.save(out)
sys.stdout.buffer.write(out.getvalue())`
const XLSXWRITER = `
import io, json, sys
import xlsxwriter
out = io.BytesIO()
book = xlsxwriter.Workbook(out, {'strings_to_formulas': False, 'strings_to_urls': False})
for sheet in json.load(sys.stdin):
    page = book.add_worksheet(sheet['name'])
    for r, cells in enumerate(sheet['rows']):
        for c, cell in enumerate(cells):
            value = cell['value']
            if isinstance(value, str) and value == '': continue
            if isinstance(value, bool): page.write_boolean(r, c, value)
            elif isinstance(value, str): page.write_string(r, c, value)
            else: page.write_number(r, c, value, book.add_format({'num_format': cell['format']}))
book.close()
sys.stdout.buffer.write(out.getvalue())`

const python =
  (script: string): Writer =>
  async sheets => {
    const input = JSON.stringify(sheets)
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', script], { input, maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Error(stderr.toString())
    return stdout
  }

const gnumeric: Writer = async sheets => {
  const folder = await mkdtemp(join(tmpdir(), 'gnumeric-'))
  const [from, to] = [join(folder, 'from.xlsx'), join(folder, 'to.xlsx')]
  await writeFile(from, await exceljs(sheets))
  const { status, output } = run('ssconvert', [from, to])
  if (status !== 0) throw new Error(output)
  const written = await readFile(to)
  await rm(folder, { recursive: true })
  return written
}

/** Libraries and programs of others that write workbooks, each with whether it is installed. */
export const WRITERS: [name: string, isThere: boolean, write: Writer][] = [
  ['exceljs 4.4', true, exceljs],
  ["Excel's Strict form", true, strict],
  ['SheetJS 0.18', true, sheetjs],
  ['hucre 1.0', true, hucre],
  ['xlsx-populate 1.21', true, xlsxPopulate],
  ['excel4node 1.8', true, excel4node('excel4node')],
  ['excel4node 1.7', true, excel4node('excel4node-1.7')],
  ['openpyxl', hasModule('openpyxl'), python(OPENPYXL)],
  ['Gnumeric', isInstalled('ssconvert'), gnumeric],
  ['XlsxWriter', hasModule('xlsxwriter'), python(XLSXWRITER)],
]

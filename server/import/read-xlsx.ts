import { buffer } from 'node:stream/consumers'
import { Parser } from 'saxen'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { type Said, said } from './said.ts'
import { type NumberFormat, readNumberFormat, writeNumber } from './sheet-numbers.ts'

/** A bomb is many times larger once it is unpacked, or says that it has a cell at the far end. */
const MAX_ENTRIES = 1_000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_ROWS = 100_000
const MAX_COLUMNS = 200
const MAX_CELLS = 2_000_000

type SheetRow = { row: number; cells: string[] }
/** `wrong`: cells that have no value, by their address, as in `C3` */
export type Sheet = { name: string; rows: SheetRow[]; wrong: { row: number; cell: string; text: Said }[] }

export class BadWorkbook extends Error {
  readonly said: Said

  constructor(text: Said) {
    super(text.in('en'))
    this.said = text
  }
}

const isWanted = ({ fileName }: Entry) =>
  /^xl\/(?:workbook|styles|sharedStrings|worksheets\/[^/]+)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/i.test(fileName)

async function unpack(content: Buffer): Promise<Map<string, string>> {
  let zip: ZipFile | null = null
  try {
    zip = await fromBufferPromise(content, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true })
    if (zip.entryCount > MAX_ENTRIES) throw new BadWorkbook(said`is too large once it is unpacked`)
    const parts = new Map<string, string>()
    let left = MAX_BYTES
    for await (const entry of zip.eachEntry()) {
      if (!isWanted(entry)) continue
      if (entry.isEncrypted()) throw new BadWorkbook(said`has a password`)
      // What arrives is no more than the file says: that is checked while it is unpacked.
      left -= entry.uncompressedSize
      if (left < 0) throw new BadWorkbook(said`is too large once it is unpacked`)
      const bytes = await buffer(await zip.openReadStreamPromise(entry))
      parts.set(entry.fileName.toLowerCase(), bytes.toString('utf8').replace(/^\uFEFF/, ''))
    }
    return parts
  } catch (error) {
    if (error instanceof BadWorkbook) throw error
    throw new BadWorkbook(
      said`is no Excel file (.xlsx) that can be read (${error instanceof Error ? error.message : String(error)})`,
    )
  } finally {
    zip?.close()
  }
}

type Reader = {
  open: (tag: string, attributes: Record<string, string>) => void
  close?: (tag: string) => void
  text?: (text: string) => void
}

/** Tags come without the short name of their namespace. Entities of a document's own are never looked up. */
function walk(xml: string, { open, close, text }: Reader): void {
  const bare = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser()
    .on('openTag', (name, attributes, decode) => {
      const decoded = Object.entries(attributes()).map(([key, value]) => [bare(key), decode(value)])
      open(bare(name), Object.fromEntries(decoded))
    })
    .on('closeTag', name => close?.(bare(name)))
    .on('text', (value, decode) => text?.(decode(value)))
    .on('cdata', value => text?.(value))
    .on('error', error => {
      throw new BadWorkbook(said`is no Excel file (.xlsx) that can be read (${error.message})`)
    })
  parser.parse(xml)
}

/** Characters that XML cannot hold stand as `_x000D_`; line ends are those of the portal. */
const cleanText = (text: string) =>
  text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')

/** The texts that cells share, without the hints how to pronounce them. */
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

/** How numbers are shown, by the number of the cell's style. */
function readFormats(xml: string | undefined): NumberFormat[] {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isCellStyle = false
  walk(xml ?? '<styleSheet/>', {
    open: (tag, { numFmtId = '0', formatCode = '' }) => {
      if (tag === 'numFmt') codes.set(Number(numFmtId), formatCode)
      else if (tag === 'cellXfs') isCellStyle = true
      else if (tag === 'xf' && isCellStyle) ids.push(Number(numFmtId))
    },
    close: tag => {
      if (tag === 'cellXfs') isCellStyle = false
    },
  })
  return ids.map(id => readNumberFormat(id, codes.get(id)))
}

/** 'C3' as column and row, both from 1; nothing for what is no address. */
function readAddress(address: string): { column: number; row: number } | null {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return letters ? { column, row: Number(digits) } : null
}
const nameOfColumn = (column: number): string =>
  column > 26
    ? nameOfColumn(Math.floor((column - 1) / 26)) + nameOfColumn(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column)

type Book = { texts: string[]; formats: NumberFormat[]; is1904: boolean }
type Cell = { type: string; style: number; value: string | null; inline: string; isFormula: boolean }

/** What a cell shows; of a formula its last result, which nobody calculates anew here. */
function readValue({ type, style, value, inline, isFormula }: Cell, { texts, formats, is1904 }: Book): string | Said {
  if (type === 'inlineStr') return cleanText(inline)
  if (value === null || (value === '' && type !== 'str'))
    return isFormula ? said`holds a formula without its result: open and save the file in the spreadsheet program` : ''
  if (type === 's') return texts[Number(value)] ?? said`holds nothing that can be read`
  if (type === 'str') return cleanText(value)
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'e') return said`holds an error of the spreadsheet: ${value.slice(0, 20)}`
  if (type === 'd') return value.replace(/(?:T00:00:00)?(?:\.0+)?Z?$/, '')
  const number = Number(value)
  return Number.isFinite(number)
    ? writeNumber(number, formats[style] ?? { kind: 'plain' }, is1904)
    : said`holds nothing that can be read`
}

function readRows(xml: string, name: string, book: Book): Sheet {
  const sheet: Sheet = { name, rows: [], wrong: [] }
  const tooLarge = (text: Said) => new BadWorkbook(said`sheet ${name}: ${text}`)
  let at = { row: 0, column: 0 }
  let cells: string[] = []
  let cell: Cell | null = null
  let [into, isHint, count] = ['', false, 0]
  const finish = (done: Cell) => {
    const value = readValue(done, book)
    if (value === '') return
    count += 1
    if (at.column > MAX_COLUMNS || at.row > MAX_ROWS || count > MAX_CELLS)
      throw tooLarge(said`has more than ${MAX_ROWS} rows, ${MAX_COLUMNS} columns or ${MAX_CELLS} cells`)
    if (typeof value === 'string') {
      while (cells.length < at.column - 1) cells.push('')
      cells[at.column - 1] = value
    } else sheet.wrong.push({ row: at.row, cell: `${nameOfColumn(at.column)}${at.row}`, text: value })
  }
  walk(xml, {
    open: (tag, { r = '', t = 'n', s = '0' }) => {
      if (tag === 'row') {
        at = { row: Number(r) || at.row + 1, column: 0 }
        cells = []
      } else if (tag === 'c') {
        at = readAddress(r) ?? { row: at.row, column: at.column + 1 }
        cell = { type: t, style: Number(s), value: null, inline: '', isFormula: false }
      } else if (tag === 'f' && cell) cell.isFormula = true
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
      } else if (tag === 'row' && cells.some(one => one.trim() !== '')) sheet.rows.push({ row: at.row, cells })
    },
    text: value => {
      if (!cell) return
      if (into === 'v') cell.value += value
      else if (into === 't' && !isHint) cell.inline += value
    },
  })
  return sheet
}

/**
 * A workbook's cells as a CSV file would have them; nothing is calculated, no link followed. See docs/decisions/0039.
 * @throws BadWorkbook
 */
export async function readXlsx(content: Buffer): Promise<Sheet[]> {
  const parts = await unpack(content)
  const part = (path: string) => parts.get(path.toLowerCase())
  const workbook = part('xl/workbook.xml')
  if (workbook === undefined)
    throw new BadWorkbook(said`is no Excel file (.xlsx) that can be read (${'xl/workbook.xml'})`)
  const targets = new Map<string, string>()
  walk(part('xl/_rels/workbook.xml.rels') ?? '<Relationships/>', {
    open: (tag, { Id = '', Target = '' }) => {
      if (tag === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const listed: { name: string; path: string }[] = []
  let is1904 = false
  walk(workbook, {
    open: (tag, { name = '', id = '', date1904 = '' }) => {
      if (tag === 'sheet') listed.push({ name, path: targets.get(id) ?? '' })
      else if (tag === 'workbookPr') is1904 = /^(?:1|true)$/.test(date1904)
    },
  })
  const book = {
    texts: readSharedTexts(part('xl/sharedStrings.xml')),
    formats: readFormats(part('xl/styles.xml')),
    is1904,
  }
  return listed.flatMap(({ name, path }) => {
    const xml = part(path)
    return xml === undefined ? [] : [readRows(xml, name, book)]
  })
}

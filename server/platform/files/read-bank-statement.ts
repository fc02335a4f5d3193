import { message, type TranslatableMessage } from './messages.ts'
import { UnreadableFile } from './problems.ts'
import { readCsv } from './read-csv.ts'
import { walkXml } from './walk-xml.ts'

/** Booked credit in euros from a bank statement. */
export type BankCredit = {
  /** 'YYYY-MM-DD' */
  bookedOn: string
  cents: number
  /** remittance information and references */
  text: string
  /** the credit reverses an earlier debit */
  isReversal: boolean
}

const MAX_TEXT = 1_000
const ENCODINGS = ['utf-8', 'iso-8859-1', 'iso-8859-15', 'windows-1252']

const unreadable = (why: TranslatableMessage | string) =>
  new UnreadableFile(message`is no bank statement (camt.053 or CSV) that can be read (${why})`)

const toCents = (text: string): number | null => {
  const [, euros = '', cents = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  return euros === '' ? null : Number(euros) * 100 + Number(cents.padEnd(2, '0'))
}
const toDay = (text: string): string | null => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})$/.exec(text) ?? []
  const iso =
    day === '' ? text.slice(0, 10) : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) && iso.length === 10 ? iso : null
}

type Part = { cents: number | null; isCredit: boolean; texts: string[] }
type Entry = Part & { bookedOn: string | null; isBooked: boolean; isReversal: boolean; parts: Part[] }

/** Credits of an entry: one per transaction if all of its transactions state their amounts, otherwise one in total. */
function creditsOf(entry: Entry): BankCredit[] {
  const { bookedOn, isReversal } = entry
  if (!entry.isBooked || bookedOn === null) return []
  const isSplit = entry.parts.length > 1 && entry.parts.every(({ cents }) => cents !== null)
  const all = isSplit
    ? entry.parts
    : [{ cents: entry.cents, isCredit: entry.isCredit, texts: [entry, ...entry.parts].flatMap(({ texts }) => texts) }]
  return all.flatMap(({ cents, isCredit, texts }) =>
    isCredit && cents !== null && cents > 0
      ? [{ bookedOn, cents, text: texts.join(' ').slice(0, MAX_TEXT), isReversal }]
      : [],
  )
}

/** Reads booked credits in euros from camt.053 of any version (ISO 20022). */
function readCamt(xml: string): BankCredit[] {
  if (/<!DOCTYPE/i.test(xml)) throw unreadable(message`it has a document type`)
  const credits: BankCredit[] = []
  const path: string[] = []
  let [text, currency, isStatement] = ['', '', false]
  let entry: Entry | null = null
  let part: Part | null = null
  const isAt = (...tags: string[]) => tags.every((tag, index) => path.at(index - tags.length) === tag)
  const noteText = (value: string) => (part ?? entry)?.texts.push(value)
  const read = (tag: string, value: string) => {
    const target = part ?? entry
    if (entry === null || target === null) return
    if (isAt('Ntry', 'Amt') || isAt('TxDtls', 'Amt') || isAt('TxAmt', 'Amt'))
      target.cents = currency === 'EUR' ? toCents(value) : null
    else if (isAt('Ntry', 'CdtDbtInd') || isAt('TxDtls', 'CdtDbtInd')) target.isCredit = value === 'CRDT'
    else if (isAt('Ntry', 'RvslInd')) entry.isReversal = value === 'true' || value === '1'
    else if (isAt('Ntry', 'Sts') || isAt('Ntry', 'Sts', 'Cd')) entry.isBooked ||= value === 'BOOK'
    else if (isAt('Ntry', 'BookgDt', 'Dt') || isAt('Ntry', 'BookgDt', 'DtTm')) entry.bookedOn = toDay(value)
    else if (tag === 'Ustrd' || tag === 'EndToEndId' || isAt('CdtrRefInf', 'Ref')) noteText(value)
  }
  const reader = {
    open: (tag: string, attributeOf: (name: string) => string) => {
      path.push(tag)
      text = ''
      if (tag === 'Stmt') isStatement = true
      else if (tag === 'Ntry')
        entry = {
          cents: null,
          isCredit: false,
          texts: [],
          bookedOn: null,
          isBooked: false,
          isReversal: false,
          parts: [],
        }
      else if (tag === 'TxDtls' && entry !== null) {
        part = { cents: null, isCredit: entry.isCredit, texts: [] }
        entry.parts.push(part)
      } else if (tag === 'Amt') currency = attributeOf('Ccy')
    },
    close: (tag: string) => {
      read(tag, text.trim())
      text = ''
      path.pop()
      if (tag === 'TxDtls') part = null
      if (tag !== 'Ntry' || entry === null) return
      credits.push(...creditsOf(entry))
      entry = null
    },
    text: (value: string) => {
      text += value
    },
  }
  walkXml(xml, reader, unreadable)
  if (!isStatement) throw unreadable(message`it has no statement`)
  return credits
}

/**
 * Accepted English and German column names of a CSV file, which may be in any order and case. Rows before the header
 * are skipped.
 */
const COLUMNS = {
  day: ['bookedon', 'buchungstag', 'buchungsdatum'],
  amount: ['amount', 'betrag'],
  text: ['text', 'verwendungszweck'],
}

function readCsvStatement(bytes: Uint8Array): BankCredit[] {
  const content = readCsv(bytes)
  if ('text' in content) throw unreadable(content.text)
  const placesIn = (cells: readonly string[]) => {
    const names = cells.map(cell => cell.trim().toLowerCase())
    const placeOf = (column: keyof typeof COLUMNS) => names.findIndex(name => COLUMNS[column].includes(name))
    return { day: placeOf('day'), amount: placeOf('amount'), text: placeOf('text') }
  }
  const header = content.records.findIndex(({ cells }) => Object.values(placesIn(cells)).every(place => place >= 0))
  if (header < 0) throw unreadable(message`no row has the columns ${'bookedOn'}, ${'amount'} and ${'text'}`)
  const places = placesIn(content.records[header]?.cells ?? [])
  return content.records.slice(header + 1).flatMap(({ row, cells }) => {
    const [day = '', amount = '', text = ''] = [places.day, places.amount, places.text].map(place =>
      cells[place]?.trim(),
    )
    // A point followed by three digits and another separator is a thousands separator, as in '1.234,56'.
    const plain = amount.replaceAll(/\.(?=\d{3}(?:[.,]))|\s|€|EUR$/g, '')
    if (plain.startsWith('-')) return []
    const [bookedOn, cents] = [toDay(day), toCents(plain.replace(/^\+/, ''))]
    if (bookedOn === null || cents === null)
      throw unreadable(message`row ${row}: ${day} is no day or ${amount} no amount`)
    return cents > 0 ? [{ bookedOn, cents, text: text.slice(0, MAX_TEXT), isReversal: false }] : []
  })
}

/**
 * Reads the credits in a bank statement. The format is camt.053, or CSV with the columns `bookedOn`, `amount` and
 * `text` (or Buchungstag, Betrag and Verwendungszweck).
 * @throws UnreadableFile
 */
export function readBankStatement(bytes: Uint8Array): BankCredit[] {
  const start = Buffer.from(bytes.subarray(0, 200))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (!start.startsWith('<')) return readCsvStatement(bytes)
  const encoding = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!ENCODINGS.includes(encoding)) throw unreadable(message`its encoding is ${encoding}`)
  return readCamt(new TextDecoder(encoding).decode(bytes))
}

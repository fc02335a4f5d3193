import { createHash } from 'node:crypto'
import { isValidIBAN } from 'ibantools'
import {
  type BankTurnover,
  createDayParser,
  isDay,
  MAX_TEXT,
  parseAmount,
  unreadableStatement,
} from './bank-turnover.ts'
import { message } from './messages.ts'
import { type CsvRecord, readCsv } from './read-csv.ts'

/** Which columns of a CSV file have which meaning, by name; in a file without a header by number, '1' and so on. */
export type CsvColumns = { day: string; amount: string; text: string; payer?: string | undefined }
/** Columns that a person has assigned. `header`: the names that identify the layout. */
export type CsvLayout = { header: string; columns: CsvColumns }
/** Layout that is not known. `rows`: the first rows, from which a person recognizes the columns. */
export type UnknownCsv = { header: string; names: string[]; rows: string[][] }

/** Column names of exports by banks, in lower case. */
const DAY = [
  'bookedon',
  'buchungstag',
  'buchungsdatum',
  'buchung',
  'booking date',
  'buchungstag/datum',
  'datum',
  'date',
]
const AMOUNT = /^(?:amount|betrag|umsatz)(?: in)?\s*[([]?\s*(?:eur|€)?\s*[)\]]?$/
const TEXTS = [
  'verwendungszweck',
  'text',
  'payment reference',
  'vorgang/verwendungszweck',
  'buchungstext',
  'referenz',
  'kundenreferenz',
  'kundenreferenz (end-to-end)',
  'end-to-end-referenz',
  'bemerkung',
]
const LEGACY_TEXTS = ['text', 'verwendungszweck']
const PAYERS = [
  'beguenstigter/zahlungspflichtiger',
  'name zahlungsbeteiligter',
  'auftraggeber/empfänger',
  'zahlungspflichtige*r',
  'begünstigter / auftraggeber',
  'auftraggeber / begünstigter',
  'partner name',
  'payee',
  'name',
]
const CURRENCY = ['waehrung', 'währung', 'currency']
const STATUS = ['info', 'status', 'umsatzstatus']
const ACCOUNT = ['auftragskonto', 'iban auftragskonto', 'iban kontoinhaber']
const PENDING = /vorgemerkt|pending|^offen$|nicht gebucht/i
/** A row below the table that states the balance, where the day would be, or in its first cell. */
const CLOSING = /saldo|kontostand|summe/i

/** Positions of the columns; `amounts`: 'Betrag', 'Soll' and 'Haben', of which a row fills one. */
type Places = {
  day: number
  amounts: { place: number; isDebit: boolean }[]
  texts: number[]
  legacyText: number
  payer: number
  currency: number
  status: number
  account: number
}
type Table = { places: Places; rows: CsvRecord[]; header: string; account: string }

/** Targobank exports no header: day, text, amount, three empty columns, account. */
const TARGOBANK: Places = {
  day: 0,
  amounts: [{ place: 2, isDebit: false }],
  texts: [1],
  legacyText: -1,
  payer: -1,
  currency: -1,
  status: -1,
  account: 6,
}

const namesOf = (cells: readonly string[]) => cells.map(cell => cell.trim().toLowerCase())
const headerOf = (cells: readonly string[]) => namesOf(cells).join('|')
const plainAccount = (cell = '') => cell.replaceAll(/[\s']/g, '').toUpperCase()
const ibanIn = (cell: string) => (isValidIBAN(plainAccount(cell)) ? plainAccount(cell) : '')

function placesIn(cells: readonly string[]): Places | null {
  const names = namesOf(cells)
  const first = (wanted: readonly string[]) => names.findIndex(name => wanted.includes(name))
  const amounts = [
    { place: names.findIndex(name => AMOUNT.test(name)), isDebit: false },
    { place: names.indexOf('haben'), isDebit: false },
    { place: names.indexOf('soll'), isDebit: true },
  ].filter(({ place }) => place >= 0)
  const texts = TEXTS.flatMap(name => names.flatMap((one, place) => (one === name ? [place] : [])))
  const day = Math.min(...DAY.map(name => names.indexOf(name)).filter(place => place >= 0))
  if (!Number.isFinite(day) || amounts.length === 0 || texts.length === 0) return null
  const [{ place: amount } = { place: 0 }] = amounts
  // A balance column may have a currency of its own.
  const currency = names.findIndex((name, place) => place > amount && CURRENCY.includes(name))
  return {
    day,
    amounts,
    texts,
    legacyText: first(LEGACY_TEXTS),
    payer: first(PAYERS),
    currency: currency < 0 ? first(CURRENCY) : currency,
    status: first(STATUS),
    account: first(ACCOUNT),
  }
}

function placesOfLayout({ columns }: CsvLayout, names: readonly string[]): Places {
  const place = (name: string | undefined) => (name === undefined ? -1 : names.indexOf(name))
  const known = placesIn(names)
  return {
    day: place(columns.day),
    amounts: [{ place: place(columns.amount), isDebit: false }],
    texts: [place(columns.text)],
    legacyText: -1,
    payer: place(columns.payer),
    currency: known?.currency ?? namesOf(names).findIndex(name => CURRENCY.includes(name)),
    status: known?.status ?? namesOf(names).findIndex(name => STATUS.includes(name)),
    account: known?.account ?? namesOf(names).findIndex(name => ACCOUNT.includes(name)),
  }
}

const isData = ({ cells }: Pick<CsvRecord, 'cells'>) =>
  cells.some(cell => isDay(cell.trim())) &&
  cells.some(cell => /^[+-]?[\d.]*\d,\d\d$|^[+-]?\d+\.\d\d$/.test(cell.trim()))

/** Names by which a person can tell the columns apart: banks repeat names, such as 'Währung', and leave them out. */
const uniqueNames = (names: readonly string[]) =>
  names.map((name, index) => {
    const earlier = names.slice(0, index).filter(one => one === name).length
    return name === '' ? String(index + 1) : earlier > 0 ? `${name} (${earlier + 1})` : name
  })

/** Finds the header of a table whose column names are unknown: the row above the first one with a day and an amount. */
function findUnknown(records: readonly CsvRecord[]): { names: string[]; rows: CsvRecord[]; header: string } | null {
  const data = records.findIndex(isData)
  if (data < 0) return null
  const above = records[data - 1]?.cells ?? []
  const width = records[data]?.cells.length ?? 0
  const hasHeader = above.length === width && above.filter(cell => cell.trim() !== '').length > 2
  const names = hasHeader
    ? uniqueNames(above.map(cell => cell.trim()))
    : Array.from({ length: width }, (_, index) => String(index + 1))
  return { names, rows: records.slice(data), header: hasHeader ? headerOf(above) : `#${width}` }
}

function findTable(records: readonly CsvRecord[], layouts: readonly CsvLayout[]): Table | UnknownCsv | null {
  const accountAbove = (count: number) =>
    records
      .slice(0, count)
      .flatMap(({ cells }) => cells.map(ibanIn))
      .find(account => account !== '') ?? ''
  for (const [index, { cells }] of records.entries()) {
    const places = placesIn(cells)
    if (places !== null)
      return { places, rows: records.slice(index + 1), header: headerOf(cells), account: accountAbove(index) }
  }
  const [first] = records
  if (first?.cells.length === 7 && isData(first) && /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plainAccount(first.cells[6])))
    return { places: TARGOBANK, rows: [...records], header: '#7', account: '' }
  const unknown = findUnknown(records)
  if (unknown === null) return null
  const { names, rows, header } = unknown
  const layout = layouts.find(one => one.header === header)
  const account = accountAbove(records.length - rows.length)
  if (layout !== undefined) return { places: placesOfLayout(layout, names), rows, header, account }
  return { header, names, rows: rows.slice(0, 3).map(({ cells }) => cells.map(cell => cell.trim().slice(0, 100))) }
}

/** Amount without blanks, currency and sign; '9,90-' is negative, too. */
function splitAmount(cell: string): { plain: string; isNegative: boolean } {
  const text = cell.replaceAll(/[\s€'’]|EUR/g, '').replaceAll(/[−–]/g, '-')
  return { plain: text.replaceAll(/^[+-]|[+-]$/g, ''), isNegative: text.startsWith('-') || text.endsWith('-') }
}

/**
 * Decimal sign of all amounts of a file, because '1.000' alone may be a thousand or one: some banks drop decimals that
 * are zero. Without any decimals the language of the header decides.
 */
function decimalSignOf(amounts: readonly string[], header: string): ',' | '.' {
  if (amounts.some(amount => /,\d{1,2}$/.test(amount))) return ','
  if (amounts.some(amount => /\.\d{1,2}$|^\d+\.\d{4,}$/.test(amount))) return '.'
  return /amount/.test(header) ? '.' : ','
}

function centsOf(plain: string, decimalSign: ',' | '.'): number | null {
  const thousands = decimalSign === ',' ? /\.(?=\d{3}(?:\D|$))/g : /,(?=\d{3}(?:\D|$))/g
  return parseAmount(plain.replaceAll(thousands, ''))
}

/**
 * Finds the column in which older exports of cooperative banks mark debits with S (Soll) and credits with H (Haben),
 * under a header that may be blank.
 */
function findDebitMarks({ day }: Places, rows: readonly CsvRecord[]): (cells: readonly string[]) => boolean {
  const marks = rows.filter(({ cells }) => isDay(cells[day]?.trim() ?? '')).map(({ cells }) => cells)
  const width = Math.min(...marks.map(cells => cells.length), 100)
  const column = Array.from({ length: width }, (_, place) => place).find(place =>
    marks.every(cells => /^[SH]$/i.test(cells[place]?.trim() ?? '')),
  )
  return cells => marks.length > 0 && column !== undefined && cells[column]?.trim().toUpperCase() === 'S'
}

/**
 * A quote that nothing closes joins rows: the next quote in the file ends the cell.
 * @throws UnreadableFile with the line
 */
function refuseJoinedRows(records: readonly CsvRecord[], delimiter: string): void {
  for (const { line, cells } of records) {
    const isJoined = cells.some(cell => {
      const [, ...more] = cell.split('\n')
      return more.some(text => isData({ cells: text.split(delimiter).map(one => one.replaceAll('"', '')) }))
    })
    if (isJoined)
      throw unreadableStatement(
        message`line ${line}: ${message`a cell that begins with a quote does not end with one`}`,
      )
  }
}

/** Splits a table at further headers: some banks repeat it for each month or account, also with other columns. */
function splitTable(table: Table): Table[] {
  const tables = [{ ...table, rows: [] as CsvRecord[] }]
  for (const row of table.rows) {
    const places = placesIn(row.cells)
    if (places === null) tables.at(-1)?.rows.push(row)
    else tables.push({ ...table, places, rows: [] })
  }
  return tables
}

function turnoversIn(
  { places, rows, header, account }: Table,
  parseDay: ReturnType<typeof createDayParser>,
): BankTurnover[] {
  const source = `csv ${createHash('sha256').update(header).digest('hex').slice(0, 8)}`
  const amountOf = (cells: readonly string[]) => {
    const filled = places.amounts
      .map(({ place, isDebit }) => ({ ...splitAmount(cells[place] ?? ''), isDebit }))
      .filter(({ plain }) => plain !== '')
    // Some banks fill the other amount with zero.
    return filled.find(({ plain }) => /[1-9]/.test(plain)) ?? filled[0]
  }
  const decimalSign = decimalSignOf(
    rows.flatMap(({ cells }) => amountOf(cells)?.plain ?? []),
    header,
  )
  const isDebitIn = findDebitMarks(places, rows)
  const turnovers: BankTurnover[] = []
  for (const { cells, line } of rows) {
    const at = (place: number) => cells[place]?.trim() ?? ''
    const [day, amount] = [at(places.day), amountOf(cells)]
    const [bookedOn, cents] = [parseDay(day), centsOf(amount?.plain ?? '', decimalSign)]
    const isPending = PENDING.test(at(places.status)) || PENDING.test(day)
    if (bookedOn === null && !isPending && CLOSING.test(day || at(0))) continue
    turnovers.push({
      source,
      place: { line },
      account: plainAccount(at(places.account)) || account,
      bookedOn,
      cents,
      currency:
        at(places.currency)
          .toUpperCase()
          .replace(/^(?:€|EURO)$/, 'EUR') || 'EUR',
      isCredit: !(amount?.isNegative || amount?.isDebit || isDebitIn(cells)),
      isBooked: !isPending,
      isReversal: false,
      bankReference: '',
      payer: at(places.payer),
      texts: places.texts.map(at).filter(text => text !== ''),
      legacyText: at(places.legacyText).slice(0, MAX_TEXT),
    })
  }
  return turnovers
}

/**
 * Reads the CSV exports of German banks in UTF-8 or Windows-1252, and those whose columns a person has assigned.
 * @returns the columns of a layout that is not known
 * @throws UnreadableFile
 */
export function readBankCsv(bytes: Uint8Array, layouts: readonly CsvLayout[]): BankTurnover[] | UnknownCsv {
  let unknown: UnknownCsv | null = null
  let problem: ReturnType<typeof unreadableStatement> | null = null
  for (const delimiter of [';', ',', '\t']) {
    const content = readCsv(bytes, { delimiter, isAnyEncoding: true, isLoose: true })
    if ('text' in content) {
      problem ??= unreadableStatement(content.text)
      continue
    }
    const table = findTable(content.records, layouts)
    if (table !== null && 'places' in table) {
      refuseJoinedRows(table.rows, delimiter)
      const tables = splitTable(table)
      const days = tables.flatMap(({ places, rows }) => rows.map(({ cells }) => cells[places.day]?.trim() ?? ''))
      const parseDay = createDayParser(days)
      return tables.flatMap(one => turnoversIn(one, parseDay))
    }
    if (unknown === null || (table?.names.length ?? 0) > unknown.names.length) unknown = table ?? unknown
  }
  if (unknown !== null && unknown.names.length > 2) return unknown
  throw problem ?? unreadableStatement(message`no row has a day, an amount and a text`)
}

import anyAscii from 'any-ascii'
import type { BATCH_KINDS } from '#contract/acts/batches.ts'
import type { BillingConfig, PAYROLL_COLUMNS } from '#contract/endpoints/billing.ts'
import { escapeFormula } from '#contract/escape-formula.ts'
import { toSepaText } from '#server/platform/payments/payment-order-rules.ts'
import type { SheetCell } from '#server/platform/pdf/spreadsheet.ts'

/** `energyCents`: the part of a positive amount that is for energy */
export type PayrollLine = {
  personnelNumber: string
  division: string
  cents: number
  energyCents: number
  reference: string
}

/** Month for which payroll deducts the amounts, 'YYYY-MM' */
type Period = string

/** Formats the first day of a month by a pattern of YYYY, YY, MM and DD. */
const formatPeriod = (period: Period, pattern: string) =>
  pattern
    .replaceAll('YYYY', period.slice(0, 4))
    .replaceAll('YY', period.slice(2, 4))
    .replaceAll('MM', period.slice(5))
    .replaceAll('DD', '01')

type PayrollRow = PayrollLine & { wageType: string; costCentre: string }

/** Rows of payroll: one for each line whose amount is not 0, or two if the energy fee has a wage type of its own. */
function toRows({ payroll }: BillingConfig, lines: readonly PayrollLine[]): PayrollRow[] {
  const { wageType, wageTypes, costCentres, costCentre } = payroll
  return lines
    .flatMap(line => {
      const row = { ...line, costCentre: costCentres[line.division] ?? costCentre }
      if (line.cents < 0) return [{ ...row, wageType: wageTypes.refund ?? wageType }]
      const energy = wageTypes.energyFee === undefined ? 0 : Math.min(line.cents, Math.max(0, line.energyCents))
      return [
        { ...row, cents: line.cents - energy, wageType: wageTypes.fee ?? wageType },
        { ...row, cents: energy, wageType: wageTypes.energyFee ?? wageType },
      ]
    })
    .filter(({ cents }) => cents !== 0)
}

/** Rows of the payroll table: the column names, the lines and the sum, as far as they are configured. */
export function toPayrollRows(
  config: BillingConfig,
  lines: readonly PayrollLine[],
  period: Period,
): { header: SheetCell[]; rows: SheetCell[][]; sum: SheetCell[] } {
  const { payroll } = config
  const charged = toRows(config, lines)
  const rows = charged.map(({ personnelNumber, division, wageType, cents, costCentre, reference }) => {
    const cells: Record<(typeof PAYROLL_COLUMNS)[number], SheetCell> = {
      personnelNumber: escapeFormula(personnelNumber),
      division: escapeFormula(division),
      wageType,
      amount: { cents },
      period: formatPeriod(period, payroll.period),
      costCentre,
      reference,
    }
    return payroll.columns.map(column => cells[column])
  })
  const cents = charged.reduce((sum, line) => sum + line.cents, 0)
  const sum = payroll.columns.map((column): SheetCell => (column === 'amount' ? { cents } : ''))
  return { header: [...payroll.columns], rows, sum }
}

const decimal = (cents: number, sign: string) => (cents / 100).toFixed(2).replace('.', sign)

/** File, and the texts in it that its encoding could not represent and that were transliterated. */
export type EncodedFile = { content: Buffer; transliterated: string[] }

const WINDOWS_1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
)

const ANSI_ENCODINGS: readonly string[] = ['windows-1252', 'latin1']

/** Character set of a batch's CSV file. Files in DATEV formats are always in Windows-1252. */
export const csvCharsetOf = (
  { payroll }: BillingConfig,
  kind: (typeof BATCH_KINDS)[number],
): 'windows-1252' | 'utf-8' =>
  kind === 'accounting' ||
  (kind === 'payroll' && payroll.profile !== 'table') ||
  ANSI_ENCODINGS.includes(payroll.encoding)
    ? 'windows-1252'
    : 'utf-8'

/** Encodes rows of cells as lines with CRLF. Letters outside of Windows-1252 are transliterated. */
function encodeRows(
  rows: readonly (readonly string[])[],
  { separator, encoding }: Pick<BillingConfig['payroll'], 'separator' | 'encoding'>,
): EncodedFile {
  const transliterated = new Set<string>()
  const isAnsi = ANSI_ENCODINGS.includes(encoding)
  const fits = (letter: string) => WINDOWS_1252.has(letter)
  const written = (cell: string) => {
    const text = cell.normalize('NFC')
    if (!isAnsi || [...text].every(fits)) return text
    transliterated.add(text)
    return Array.from(text, letter => (fits(letter) ? letter : anyAscii(letter))).join('')
  }
  const quoted = (text: string) =>
    /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  const text = rows.map(cells => `${cells.map(cell => quoted(written(cell))).join(separator)}\r\n`).join('')
  if (isAnsi)
    return {
      content: Buffer.from(Array.from(text, letter => WINDOWS_1252.get(letter) ?? 0x3f)),
      transliterated: [...transliterated],
    }
  return { content: Buffer.from(encoding === 'utf-8-bom' ? `\uFEFF${text}` : text), transliterated: [] }
}

/** Writes a batch's file as CSV: CRLF, quoted as in RFC 4180, in the encoding that the operator configured. */
export function writeBatchCsv({ payroll }: BillingConfig, rows: readonly (readonly SheetCell[])[]): EncodedFile {
  const write = (cell: SheetCell) =>
    typeof cell === 'object' && cell !== null ? decimal(cell.cents, payroll.decimalSign) : String(cell ?? '')
  return encodeRows(
    rows.map(row => row.map(write)),
    payroll,
  )
}

/**
 * Writes the payroll file in the configured profile: a table, or the import formats of DATEV LODAS (sections) and DATEV
 * Lohn und Gehalt (line with the company and the month, then movements).
 */
export function writePayrollFile(config: BillingConfig, lines: readonly PayrollLine[], period: Period): EncodedFile {
  const { profile, datev, header: hasHeader, sumRow } = config.payroll
  if (profile === 'table' || datev === undefined) {
    const { header, rows, sum } = toPayrollRows(config, lines, period)
    return writeBatchCsv(config, [...(hasHeader ? [header] : []), ...rows, ...(sumRow ? [sum] : [])])
  }
  const { consultantNumber, clientNumber, processingKey = '' } = datev
  const rows = toRows(config, lines)
  const ansi = { separator: ';', encoding: 'windows-1252' } as const
  if (profile === 'datev-lug') {
    const month = [consultantNumber, clientNumber, formatPeriod(period, 'MM/YYYY')]
    const movements = rows.map(({ personnelNumber, wageType, cents, costCentre }) =>
      `${personnelNumber};;;${wageType};;;${decimal(cents, ',')};;;${costCentre};`.split(';'),
    )
    return encodeRows([month, ...movements], ansi)
  }
  const day = formatPeriod(period, 'DD.MM.YYYY')
  const fields = ['abrechnung_zeitraum', 'bs_wert_butab', 'bs_nr', 'la_eigene', 'pnr', 'kostenstelle']
  const head = [
    '[Allgemein]',
    'Ziel=LODAS',
    'Version_SST=1.0',
    `BeraterNr=${consultantNumber}`,
    `MandantenNr=${clientNumber}`,
    'Datumsformat=TT.MM.JJJJ',
    'Zahlenkomma=,',
    '',
    '[Satzbeschreibung]',
    `1;u_lod_bwd_buchung_standard;${fields.map(field => `${field}#bwd;`).join('')}`,
    '',
    '[Bewegungsdaten]',
  ]
  const movements = rows.map(({ personnelNumber, wageType, cents, costCentre }) => [
    '1',
    day,
    decimal(cents, ','),
    processingKey,
    wageType,
    personnelNumber,
    costCentre,
    '',
  ])
  return encodeRows([...head.map(line => line.split(';')), ...movements], ansi)
}

/**
 * Payload of an EPC QR code (EPC069-12, version 002), which prefills a SEPA credit transfer in a banking app. The name of
 * the recipient is transliterated as in payment orders, because readers such as ZBar take umlauts for Chinese or Japanese
 * letters.
 */
export const toEpcPayload = (
  { invoice: { bic, recipient, iban } }: BillingConfig,
  cents: number,
  reference: string,
): string =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    bic,
    toSepaText(recipient, 70) || recipient,
    iban,
    `EUR${(cents / 100).toFixed(2)}`,
    '',
    '',
    reference,
  ].join('\n')

/** Invoice number, for example '2027-000123'. */
export const formatInvoiceNumber = (year: number, sequence: number): string =>
  `${year}-${String(sequence).padStart(6, '0')}`

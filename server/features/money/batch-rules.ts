import type { BillingConfig, PAYROLL_COLUMNS } from '#contract/endpoints/billing.ts'
import type { SheetCell } from '#server/platform/pdf/spreadsheet.ts'

type PayrollLine = { personnelNumber: string; division: string; cents: number; reference: string }

/** Month in which the batch is closed, 'YYYY-MM' */
type Period = string

const decimal = (cents: number) => (cents / 100).toFixed(2).replace('.', ',')
/**
 * Prefixes text that a spreadsheet could interpret as a formula with an apostrophe (OWASP, CSV injection). Does not
 * apply to amounts.
 */
export const escapeFormula = (text: string) => (/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text)

/**
 * Rows of the payroll file: the column names, one row for each batch line whose amount is not 0, and a final row with
 * the total.
 */
export function toPayrollRows(
  { payroll }: BillingConfig,
  lines: readonly PayrollLine[],
  period: Period,
): SheetCell[][] {
  const charged = lines.filter(({ cents }) => cents !== 0)
  const rows = charged.map(({ personnelNumber, division, cents, reference }) => {
    const cells: Record<(typeof PAYROLL_COLUMNS)[number], SheetCell> = {
      personnelNumber: escapeFormula(personnelNumber),
      division: escapeFormula(division),
      wageType: payroll.wageType,
      amount: { cents },
      period,
      costCentre: payroll.costCentres[division] ?? payroll.costCentre,
      reference,
    }
    return payroll.columns.map(column => cells[column])
  })
  const cents = charged.reduce((sum, line) => sum + line.cents, 0)
  const sum = payroll.columns.map((column): SheetCell => (column === 'amount' ? { cents } : ''))
  return [[...payroll.columns], ...rows, sum]
}

/** Writes a batch's file as CSV: CRLF, quoted as in RFC 4180, in the encoding that the operator configured. */
export function writeBatchCsv({ payroll }: BillingConfig, rows: readonly (readonly SheetCell[])[]): Buffer {
  const { separator, encoding } = payroll
  const write = (cell: SheetCell) => {
    const text = typeof cell === 'object' && cell !== null ? decimal(cell.cents) : String(cell ?? '')
    return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const text = rows.map(row => `${row.map(write).join(separator)}\r\n`).join('')
  if (encoding === 'latin1') return Buffer.from(text, 'latin1')
  return Buffer.from(encoding === 'utf-8-bom' ? `\uFEFF${text}` : text)
}

/** Payload of an EPC QR code (EPC069-12, version 002), which prefills a SEPA credit transfer in a banking app. */
export const toEpcPayload = (
  { invoice: { bic, recipient, iban } }: BillingConfig,
  cents: number,
  reference: string,
): string =>
  ['BCD', '002', '1', 'SCT', bic, recipient, iban, `EUR${(cents / 100).toFixed(2)}`, '', '', reference].join('\n')

/** Invoice number, for example '2027-000123'. */
export const formatInvoiceNumber = (year: number, sequence: number): string =>
  `${year}-${String(sequence).padStart(6, '0')}`

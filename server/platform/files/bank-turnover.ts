import { message, type TranslatableMessage } from './messages.ts'
import { UnreadableFile } from './problems.ts'

/** Position of a turnover: the file in a ZIP file, the line of a text file, the number of the entry in a camt file. */
export type TurnoverPlace = { file?: string; line?: number; entry?: number }

/** Entry of a bank statement, or one transaction of a batch entry. */
export type BankTurnover = {
  place: TurnoverPlace
  /** such as 'camt.053'; of a CSV file with its column names */
  source: string
  /** IBAN or number of the account that the statement is about; '' if the file does not name it */
  account: string
  /** 'YYYY-MM-DD'; null if it is missing or unreadable */
  bookedOn: string | null
  /** amount without its sign; null if it is unreadable */
  cents: number | null
  currency: string
  isCredit: boolean
  isBooked: boolean
  isReversal: boolean
  /** the bank's reference of the entry; '' if there is none */
  bankReference: string
  /** name of the payer; of a debit, of the payee */
  payer: string
  /** remittance information and references, in the parts in which the file has them */
  texts: string[]
  /** text from which version 2.0 derived the identity of a credit */
  legacyText: string
}

export const MAX_TEXT = 1_000

export const unreadableStatement = (why: TranslatableMessage | string): UnreadableFile =>
  new UnreadableFile(message`is no bank statement (camt, MT940 or CSV) that can be read (${why})`)

/** Parses an amount with a decimal point or comma, possibly padded with zeros, in which decimals beyond the cent have to be zeros. */
export function parseAmount(text: string): number | null {
  const [, euros, cents = ''] = /^(?=\d|[.,]\d)0*(\d{0,9})(?:[.,](\d{0,2})0*)?$/.exec(text) ?? []
  return euros === undefined ? null : Number(euros) * 100 + Number(cents.padEnd(2, '0'))
}

/** Parses '2026-11-24', '2026/11/24' or '24.11.26' with or without leading zeros, also with a time. */
export function parseDay(text: string): string | null {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?:,? \d{1,2}:\d{2}(?::\d{2})?)?$/.exec(text) ?? []
  const iso =
    day === ''
      ? text.slice(0, 10).replaceAll('/', '-')
      : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) && iso.length === 10 ? iso : null
}

/** Day with slashes or hyphens, whose first two numbers have no fixed order. */
const AMBIGUOUS_DAY = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/
/** Whether the text is a day, even if only the other days of its column tell which one. */
export const isDay = (text: string): boolean => AMBIGUOUS_DAY.test(text) || parseDay(text) !== null

/**
 * Parses the days of a column. '03/12/2026' is a day only if another row has a day above 12 in the first place, and no
 * row in the second one.
 */
export function createDayParser(column: readonly string[]): (text: string) => string | null {
  const pairs = column.flatMap(text => {
    const [, first, second] = AMBIGUOUS_DAY.exec(text) ?? []
    return first === undefined ? [] : [{ first: Number(first), second: Number(second) }]
  })
  const isDayFirst = pairs.some(({ first }) => first > 12) && pairs.every(({ second }) => second <= 12)
  return text => parseDay(isDayFirst ? text.replace(AMBIGUOUS_DAY, '$1.$2.$3') : text)
}

/** Reference of the bank, without the placeholders for a missing one. */
export const bankReferenceOf = (...candidates: string[]): string =>
  candidates.find(text => text !== '' && !/^(?:NONREF|NOTPROVIDED|NOREF|0+)$/i.test(text)) ?? ''

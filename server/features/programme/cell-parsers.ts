import * as v from 'valibot'
import { normalizeText } from '#contract/normalize.ts'
import { isPrintableName } from '#contract/rules/name-letters.ts'
import { isPhoneNumber, normalizePhone } from '#contract/rules/profile-rules.ts'
import { PERSON } from '#contract/tables/person.ts'
import { email as emailAddress, MAX_ID, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH_AT_LOGIN } from '#contract/values.ts'
import { cleanHtml, cleanLine, cleanText, htmlToText } from '#server/platform/files/clean-html.ts'
import { message, type TranslatableMessage } from '#server/platform/files/messages.ts'
import { quoteForMessage } from '#server/platform/files/problems.ts'

export class InvalidCell {
  readonly text: TranslatableMessage

  constructor(text: TranslatableMessage) {
    this.text = text
  }
}

/** Parses the text of a non-empty cell. `moveDays`: number of days to add to every date, for the demo programme. */
export type ParseCell<Value> = (text: string, moveDays: number) => Value | InvalidCell

const DAY_MS = 86_400_000
const MAX_AMOUNT = 1_000_000

/** Adds days to a calendar date ('YYYY-MM-DD'). */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

export const line: ParseCell<string> = text => cleanLine(text)
export const html: ParseCell<string> = text => cleanHtml(text)
export const plainText: ParseCell<string> = text => htmlToText(text)
/** Passwords are not trimmed, because spaces are significant. */
export const password: ParseCell<string> = text =>
  text.length < PASSWORD_MIN_LENGTH_AT_LOGIN || text.length > PASSWORD_MAX_LENGTH
    ? new InvalidCell(message`a password has ${PASSWORD_MIN_LENGTH_AT_LOGIN} to ${PASSWORD_MAX_LENGTH} characters`)
    : text

/** Parses single-line text of at most `max` characters. */
export const lineOfMaxLength =
  (max: number): ParseCell<string> =>
  text => {
    const value = cleanLine(text)
    return value.length > max ? new InvalidCell(message`has ${value.length} characters, at most ${max} fit`) : value
  }

const normalized =
  (parse: ParseCell<string>): ParseCell<string> =>
  (text, moveDays) =>
    parse(normalizeText(text), moveDays)

/** Parsers like `line` and `lineOf`, but with Unicode normalization, for personal data. */
export const normalizedLine = normalized(line)
export const normalizedLineOfMaxLength = (max: number): ParseCell<string> => normalized(lineOfMaxLength(max))
/** Parses a name of a person, of which every letter can be printed. */
export const printableNameOfMaxLength =
  (max: number): ParseCell<string> =>
  (text, moveDays) =>
    isPrintableName(text)
      ? normalizedLineOfMaxLength(max)(text, moveDays)
      : new InvalidCell(
          message`${quoteForMessage(text)} cannot be printed on certificates and invoices; write the name in Latin letters, as in the passport`,
        )

export const email: ParseCell<string> = text => {
  const result = v.safeParse(emailAddress, text)
  return result.success
    ? result.output
    : new InvalidCell(
        message`${quoteForMessage(text)} is not an e-mail address of at most ${PERSON.email.max} characters`,
      )
}

export const emails: ParseCell<string[]> = text => {
  const addresses = text.split(/[\s,;]+/).filter(Boolean)
  const results = addresses.map(address => email(address, 0))
  const wrong = results.find(result => result instanceof InvalidCell)
  return wrong instanceof InvalidCell ? wrong : [...new Set(results.filter(result => typeof result === 'string'))]
}

export const integer =
  (min: number, max = MAX_ID): ParseCell<number> =>
  text => {
    const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (Number.isNaN(value)) return new InvalidCell(message`${quoteForMessage(text)} is not a whole number`)
    if (value < min) return new InvalidCell(message`${quoteForMessage(text)} is less than ${min}`)
    return value > max ? new InvalidCell(message`${quoteForMessage(text)} is more than ${max}`) : value
  }

/** Parses a whole percentage, with or without its sign: spreadsheets write `80%`. */
export const percentage =
  (max: number): ParseCell<number> =>
  (text, moveDays) =>
    integer(0, max)(text.replace(/\s*%$/, ''), moveDays)

/** Parses a cell that must contain one of the given values. */
export const oneOf =
  <Value extends number | string>(...values: readonly Value[]): ParseCell<Value> =>
  text =>
    values.find(value => String(value) === text) ??
    new InvalidCell(message`${quoteForMessage(text)} is not one of ${values.join(', ')}`)

/** A price without cents as German spreadsheets show it, `1.200 €`, which without the sign reads as one with decimals. */
const AMBIGUOUS = /^\+?[1-9]\d{0,2}(?:\.\d{3})+\s*(?:€|EUR)$/i
/** Thousands with points before decimals with a comma, as German spreadsheets show amounts. */
const GERMAN_THOUSANDS = /^\+?\d{1,3}(?:\.\d{3})+,\d{2}$/

/**
 * Parses a decimal number with a point or comma and at most two decimals, also `1.234,50 €`.
 * @returns the number in hundredths
 */
export const decimalInHundredths: ParseCell<number> = text => {
  const amount = text.replace(/\s*(?:€|EUR)$/i, '')
  const plain = GERMAN_THOUSANDS.test(amount) ? amount.replaceAll('.', '') : amount
  const [, whole, decimals = ''] = /^\+?(\d{1,15})(?:[.,](\d+))?$/.exec(plain) ?? []
  if (/^-\s*[\d.,]+$/.test(text)) return new InvalidCell(message`${quoteForMessage(text)} is less than 0`)
  if (whole === undefined || AMBIGUOUS.test(text))
    return new InvalidCell(message`${quoteForMessage(text)} is not a number such as 12.50 or 12,50`)
  if (decimals.replace(/0+$/, '').length > 2)
    return new InvalidCell(message`${quoteForMessage(text)} has more than two decimals`)
  const value = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  return value >= MAX_AMOUNT * 100
    ? new InvalidCell(message`${quoteForMessage(text)} is not less than ${MAX_AMOUNT}`)
    : value
}

/** Parses like `hundredths`, but returns the number itself, for `numeric(…, 2)` columns. */
export const decimal: ParseCell<number> = text => {
  const value = decimalInHundredths(text, 0)
  if (value instanceof InvalidCell) return value
  return value >= 10_000_000 ? new InvalidCell(message`${quoteForMessage(text)} is not less than 100000`) : value / 100
}

export const boolean: ParseCell<boolean> = text => {
  // German spreadsheets write WAHR and FALSCH.
  if (/^(true|1|ja|wahr)$/i.test(text)) return true
  return /^(false|0|nein|falsch)$/i.test(text)
    ? false
    : new InvalidCell(message`${quoteForMessage(text)} is not one of true, false, 1, 0, ja, nein`)
}

/** Parses a time of day. Its value is 'HH:MM:SS'. */
export const time: ParseCell<string> = text => {
  const [, hour = '', minute = '', second = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? []
  const isTime = hour !== '' && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return isTime
    ? [hour, minute, second].map(part => part.padStart(2, '0')).join(':')
    : new InvalidCell(message`${quoteForMessage(text)} is not a time such as 18:00`)
}

/** Calendar date with an optional time of day (null if the cell has none). */
export type ParsedDate = { date: string; time: string | null }

export const dateAndTime: ParseCell<ParsedDate> = (text, moveDays) => {
  const [, datePart = '', timePart] = /^(\S+?)(?:(?:\s+|T)(\d\S*))?$/.exec(text) ?? []
  const date = readDate(datePart)
  if (!date) return new InvalidCell(message`${quoteForMessage(text)} is not a date such as 2026-11-21 or 21.11.2026`)
  const clock = timePart === undefined ? null : time(timePart, 0)
  return clock instanceof InvalidCell ? clock : { date: addDays(date, moveDays), time: clock }
}

/**
 * First plausible year. Years outside the range are typing errors, and date arithmetic does not support years far
 * beyond it.
 */
const MIN_YEAR = 1900
export const MAX_YEAR = 2200

function readDate(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const [year, month, day] = (iso ? iso.slice(1) : (german?.slice(1).reverse() ?? [])).map(Number)
  if (!year || !month || !day || year < MIN_YEAR || year > MAX_YEAR) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  // The comparison rejects dates such as 31.02., which Date would convert to a day in March.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null
}

/** Parses a date and ignores the time of day, if any. The value is 'YYYY-MM-DD'. */
export const date: ParseCell<string> = (text, moveDays) => {
  const value = dateAndTime(text, moveDays)
  return value instanceof InvalidCell ? value : value.date
}

/** Parses a date and time; the time defaults to midnight. The value is 'YYYY-MM-DD HH:MM:SS'. */
export const dateTime: ParseCell<string> = (text, moveDays) => {
  const value = dateAndTime(text, moveDays)
  return value instanceof InvalidCell ? value : `${value.date} ${value.time ?? '00:00:00'}`
}

export const phone: ParseCell<string> = text => {
  const number = normalizePhone(cleanLine(text))
  return isPhoneNumber(number)
    ? number
    : new InvalidCell(
        message`${quoteForMessage(text)} is not a phone number of 2 to 50 characters (digits, blanks, + ( ) /)`,
      )
}

export const webAddress: ParseCell<string> = text => {
  const address = cleanLine(text)
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address)
  return isWeb
    ? address
    : new InvalidCell(message`${quoteForMessage(text)} is not a web address beginning with https://`)
}

/**
 * Parses the link target of a content item: a course id, `category:` followed by an id, a `mailto:` address, a URL, or
 * a route of the app.
 */
export const link: ParseCell<string> = text => {
  const target = cleanLine(text)
  if (/^https?:/i.test(target)) return webAddress(target, 0)
  const isForeign = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target) && !/^(?:category:\d+$|mailto:)/.test(target)
  return isForeign
    ? new InvalidCell(message`${quoteForMessage(text)} is no link: a number, category:ID, mailto:, https:// or a route`)
    : target
}

/** Parses the name of a file in `files/`, without subfolders. */
export const fileName: ParseCell<string> = text => {
  const name = cleanText(text)
  const isPlain = !/[/\\:*?"<>|\n]/.test(name) && !name.startsWith('.') && name.length <= 200
  return isPlain ? name : new InvalidCell(message`${quoteForMessage(text)} is not the plain name of a file in files/`)
}

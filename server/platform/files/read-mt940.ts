import { composeIBAN } from 'ibantools'
import { type BankTurnover, bankReferenceOf, MAX_TEXT, parseAmount, parseDay } from './bank-turnover.ts'

/** Whether a text is MT940 or MT942. Banks put SWIFT headers or lines of their own before the first statement. */
export const isMt940 = (text: string): boolean => /^:20:/m.test(text) && /^:25P?:/m.test(text)

/** ':25:' of German banks contains bank code and account number. */
function accountOf(field: string): string {
  const plain = field.replaceAll(/\s/g, '').toUpperCase()
  const [, bank = '', account = ''] = /^(\d{8})\/0*(\d{1,10})(?:[A-Z]{3})?$/.exec(plain) ?? []
  if (bank === '') return plain
  return composeIBAN({ countryCode: 'DE', bban: `${bank}${account.padStart(10, '0')}` }) ?? plain
}

/** Subfields of ':86:' in the German structure: '166?00GUTSCHRIFT?20SVWZ+…?32NAME', elsewhere without the code. */
function detailsOf(field: string): { payer: string; texts: string[] } {
  const structured = /^(?:\d{3})?([?>])(?=\d\d)/.exec(field)
  const lines = field.split('\n')
  if (structured === null) return { payer: '', texts: lines }
  const subfields = lines
    .join('')
    .slice(structured[0].length)
    .split(structured[1] ?? '?')
    .map(part => ({ code: Number(part.slice(0, 2)), text: part.slice(2) }))
  const among = (from: number, to: number) =>
    subfields.flatMap(({ code, text }) => (code >= from && code <= to ? [text] : []))
  return { payer: among(32, 33).join('').trim(), texts: [...among(20, 29), ...among(60, 63)] }
}

/** Some banks replace a missing entry date with blanks, and write whole amounts without a comma. */
const LINE = /^(\d{6})(\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?(\d{1,12}(?:,\d{0,2})?)(?:[A-Z][A-Z0-9]{3})?(.*)$/

/** Booking date from the value date 'YYMMDD' and the entry date 'MMDD', which may be in the next or previous year. */
function bookingDay(value: string, entry: string | undefined): string | null {
  const [year, month] = [2000 + Number(value.slice(0, 2)), Number(value.slice(2, 4))]
  if (entry === undefined || entry.trim() === '') return parseDay(`${year}-${value.slice(2, 4)}-${value.slice(4)}`)
  const distance = Number(entry.slice(0, 2)) - month
  const shift = distance > 6 ? -1 : distance < -6 ? 1 : 0
  return parseDay(`${year + shift}-${entry.slice(0, 2)}-${entry.slice(2)}`)
}

/** `isInterim`: MT942, which has items that are not booked yet */
type Statement = { account: string; currency: string; isInterim: boolean }

/** @param number line in the file */
function turnoverOf(line: string, number: number, details: string, statement: Statement) {
  const [first = '', ...supplementary] = line.split('\n')
  const [, value = '', entry, mark = '', , amount = '', references = ''] = LINE.exec(first) ?? []
  const [customer = '', bank = ''] = references.split('//')
  const { payer, texts } = detailsOf(details)
  const { account, currency, isInterim } = statement
  return {
    source: 'mt940',
    place: { line: number },
    account,
    bookedOn: value === '' ? null : bookingDay(value, entry),
    cents: parseAmount(amount),
    currency,
    // A reversed debit is a credit.
    isCredit: mark === 'C' || mark === 'EC' || mark === 'RD',
    isBooked: !isInterim && !mark.startsWith('E'),
    isReversal: mark.startsWith('R'),
    bankReference: bankReferenceOf(bank.trim()),
    payer,
    texts: [...texts, bankReferenceOf(customer.trim()), ...supplementary].filter(text => text !== ''),
    legacyText: texts.join(' ').slice(0, MAX_TEXT),
  } satisfies BankTurnover
}

/** Reads MT940 and MT942 (SWIFT), with ':86:' structured as German banks do or as plain text. */
export function readMt940(text: string): BankTurnover[] {
  const turnovers: BankTurnover[] = []
  const lines = text.replaceAll(/\r\n?/g, '\n')
  let statement: Statement = { account: '', currency: '', isInterim: false }
  let line: string | null = null
  let [number, counted] = [1, 0]
  let details: string[] = []
  const finish = () => {
    if (line !== null) turnovers.push(turnoverOf(line, number, details.join('\n'), statement))
    line = null
    details = []
  }
  const fields = lines.matchAll(/^:(\d\d[A-Z]?|NS):([\s\S]*?)(?=\n:(?:\d\d[A-Z]?|NS):|\n-(?:\}|\n|$)|$(?!\n))/gm)
  for (const { 1: tag, 2: value = '', index } of fields) {
    if (tag === '86' && line !== null) details.push(value)
    else if (tag !== 'NS') finish()
    if (tag === '25' || tag === '25P')
      statement = { account: accountOf(value.split('\n', 1)[0] ?? ''), currency: '', isInterim: false }
    else if (tag === '60F' || tag === '60M') statement = { ...statement, currency: value.slice(7, 10) }
    else if (tag === '34F') statement = { ...statement, currency: value.slice(0, 3), isInterim: true }
    else if (tag === '61') line = value
    if (tag !== '61') continue
    number += lines.slice(counted, index).split('\n').length - 1
    counted = index
  }
  finish()
  return turnovers
}

import { createHash } from 'node:crypto'
import type { InvoiceRow } from '#server/features/money/invoice-repository.ts'
import type { BankTurnover } from '#server/platform/files/bank-turnover.ts'
import type { RecordedBankLine, RecordedPayment } from './statement-repository.ts'

/** Booked turnover in euros. */
export type BookedTurnover = BankTurnover & { bookedOn: string; cents: number }

/** Why a turnover is not looked at; null if it is booked in euros and readable. */
export function reasonToIgnore({
  isBooked,
  bookedOn,
  cents,
  currency,
}: BankTurnover): 'pending' | 'unreadable' | 'currency' | null {
  if (!isBooked) return 'pending'
  if (bookedOn === null || cents === null) return 'unreadable'
  return currency === 'EUR' ? null : 'currency'
}

const signedCents = ({ cents, isCredit }: BookedTurnover) => (isCredit ? cents : 0 - cents)

/**
 * Invoice numbers in the texts of a turnover. Banks break texts anywhere, and people write anything between year and
 * number. The pattern finds dates and other numbers, too, so that only existing invoices count.
 */
export function findInvoiceNumbers(texts: readonly string[]): string[] {
  const found = texts.join(' ').matchAll(/(?<!\d)(?=(2\s?0\s?\d\s?\d)[\s./–-]*(\d(?:\s?\d){5})(?!\d))/g)
  return [...new Set([...found].map(([, year = '', number = '']) => `${year}-${number}`.replaceAll(/\s/g, '')))]
}

/** References of refunds (batch and line, '7-00012') in the texts of a turnover. */
export const findRefundReferences = (texts: readonly string[]): string[] => [
  ...new Set([...texts.join(' ').matchAll(/(?<![\d-])\d{1,9}-\d{5}(?![\d-])/g)].map(([reference]) => reference)),
]

export type Match = { plan: { invoice: InvoiceRow; cents: number }[]; isTooMuch: boolean }
export type Unmatched = 'noNumber' | 'severalNumbers' | 'unknown' | 'cancelled' | 'tooMuch' | 'reversal' | 'debit'

const isOpen = ({ state }: InvoiceRow) => state !== 'cancelled' && state !== 'cancelling'

/** Stored as the reason of a line, and shown in the language of the reader. */
export const REFUND_RETURNED = 'refundReturned'

/** Invoices that a credit pays, or why it pays none. A credit pays several invoices if it equals their open sums. */
export function matchCredit(
  { cents, isReversal, texts }: BookedTurnover,
  invoices: ReadonlyMap<string, InvoiceRow>,
): Match | Unmatched {
  if (isReversal) return 'reversal'
  const numbers = findInvoiceNumbers(texts)
  const named = numbers.flatMap(number => invoices.get(number) ?? [])
  const [first] = named
  if (first === undefined) return numbers.length > 0 ? 'unknown' : 'noNumber'
  if (named.length === 1)
    return isOpen(first)
      ? { plan: [{ invoice: first, cents }], isTooMuch: cents > first.cents - first.paidCents }
      : 'cancelled'
  const plan = named
    .filter(isOpen)
    .map(invoice => ({ invoice, cents: invoice.cents - invoice.paidCents }))
    .filter(part => part.cents > 0)
  return plan.reduce((sum, part) => sum + part.cents, 0) === cents ? { plan, isTooMuch: false } : 'severalNumbers'
}

const DAY_MS = 86_400_000
const MAX_DAYS = 10

/** Payment of the same invoice and amount within ten days from another source, which a credit may repeat. */
export const findSamePayment = (
  payments: readonly RecordedPayment[],
  { bookedOn, source }: BookedTurnover,
  part: { number: string; cents: number },
): RecordedPayment | undefined =>
  payments.find(
    payment =>
      payment.number === part.number &&
      payment.cents === part.cents &&
      payment.source !== source &&
      Math.abs(Date.parse(payment.paidOn) - Date.parse(bookedOn)) <= MAX_DAYS * DAY_MS,
  )

const hash = (content: string) => createHash('sha256').update(content).digest()

export type Identity = { hash: Buffer; isRecorded: boolean }

/** Identities by which version 2.0 recorded credits: by their text. */
function legacyHashesOf(turnovers: readonly BookedTurnover[]): Buffer[] {
  const counts = new Map<string, number>()
  return turnovers.map(({ bookedOn, cents, legacyText }) => {
    const content = JSON.stringify([bookedOn, cents, legacyText.replaceAll(/\s+/g, ' ').trim().toUpperCase()])
    const count = (counts.get(content) ?? 0) + 1
    counts.set(content, count)
    return hash(`${content} ${count}`)
  })
}

/**
 * Identifies turnovers by account, day, amount and reference of the bank, and by their rank among equal ones. Statements
 * may contain only some of these, so that a recorded turnover is recognized by the invoices that it paid first.
 * @param invoicesOf numbers of the existing invoices that a turnover names
 */
export function identifyTurnovers(
  turnovers: readonly BookedTurnover[],
  recorded: readonly RecordedBankLine[],
  invoicesOf: (turnover: BookedTurnover) => readonly string[],
): Identity[] {
  const byHash = new Map(recorded.map(line => [line.hash, line]))
  const legacy = legacyHashesOf(turnovers)
  const identities: Identity[] = []
  const groups = Map.groupBy(turnovers.keys(), index => {
    const one = turnovers[index]
    return JSON.stringify(one && [one.account, one.bookedOn, signedCents(one), one.bankReference])
  })
  for (const [content, members] of groups) {
    const [first] = members.flatMap(index => turnovers[index] ?? [])
    const same = recorded.filter(line => line.bookedOn === first?.bookedOn && Math.abs(line.cents) === first.cents)
    const ranks = Array.from({ length: members.length + same.length }, (_, rank) => hash(`${content} ${rank + 1}`))
    const known = ranks.filter(one => byHash.has(one.toString('hex')))
    const free = ranks.filter(one => !byHash.has(one.toString('hex')))
    const namedBy = (index: number) => (turnovers[index] ? invoicesOf(turnovers[index]) : [])
    const numbersOf = (line: Buffer) => byHash.get(line.toString('hex'))?.numbers ?? []
    const byNamed = members.toSorted((a, b) => Number(namedBy(a).length === 0) - Number(namedBy(b).length === 0))
    const unknown = byNamed.filter(index => {
      const named = namedBy(index)
      const at = known.findIndex(line => named.length === 0 || numbersOf(line).some(number => named.includes(number)))
      const [line] = at < 0 ? [] : known.splice(at, 1)
      if (line !== undefined) identities[index] = { hash: line, isRecorded: true }
      return line === undefined
    })
    for (const index of unknown) {
      const old = legacy[index] ?? Buffer.alloc(0)
      identities[index] = byHash.has(old.toString('hex'))
        ? { hash: old, isRecorded: true }
        : { hash: free.shift() ?? Buffer.alloc(0), isRecorded: false }
    }
  }
  return identities
}

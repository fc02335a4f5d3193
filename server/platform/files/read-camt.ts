import {
  type BankTurnover,
  bankReferenceOf,
  MAX_TEXT,
  parseAmount,
  parseDay,
  unreadableStatement,
} from './bank-turnover.ts'
import { message } from './messages.ts'
import { walkXml } from './walk-xml.ts'

/** Elements that contain the entries of an account, with the name of their message. */
const REPORTS: Readonly<Record<string, string>> = { Stmt: 'camt.053', Rpt: 'camt.052', Ntfctn: 'camt.054' }
/** Elements with remittance information or references. Version 2.0 identified credits by the first three. */
const TEXTS = ['Ustrd', 'EndToEndId', 'Ref', 'Nb', 'AddtlTxInf', 'AddtlNtryInf']
const LEGACY_TEXTS = ['Ustrd', 'EndToEndId', 'Ref']

type Part = {
  cents: number | null
  currency: string
  isCredit: boolean
  texts: { tag: string; text: string }[]
  reference: string
  payer: string
  payee: string
}
type Entry = Part & {
  /** from 1 */
  number: number
  bookedOn: string | null
  valuedOn: string | null
  isBooked: boolean
  isReversal: boolean
  entryReference: string
  parts: Part[]
}

const newPart = (isCredit: boolean): Part => ({
  cents: null,
  currency: '',
  isCredit,
  texts: [],
  reference: '',
  payer: '',
  payee: '',
})
const signed = ({ cents, isCredit }: Part) => (isCredit ? 1 : -1) * (cents ?? 0)

/**
 * Turnovers of an entry: one per transaction if all transactions state an amount in the entry's currency and these add
 * up to it, otherwise one in total.
 */
function turnoversOf(entry: Entry, report: { source: string; account: string }): BankTurnover[] {
  const { parts, isBooked, isReversal, entryReference, number } = entry
  const isSplit =
    parts.length > 1 &&
    parts.every(({ cents, currency }) => cents !== null && currency === entry.currency) &&
    parts.reduce((sum, part) => sum + signed(part), 0) === signed(entry)
  const own = bankReferenceOf(entry.reference, entryReference)
  const whole = { ...entry, texts: [entry, ...parts].flatMap(({ texts }) => texts) }
  const [single] = parts.length === 1 ? parts : []
  return (isSplit ? parts : [whole]).map((part, index) => {
    const { cents, currency, isCredit, texts } = part
    const { payer, payee } = isSplit ? part : (single ?? part)
    const wanted = (tags: readonly string[]) => texts.flatMap(({ tag, text }) => (tags.includes(tag) ? [text] : []))
    return {
      ...report,
      place: { entry: number },
      bookedOn: entry.bookedOn ?? entry.valuedOn,
      cents,
      currency,
      isCredit,
      isBooked,
      isReversal,
      bankReference: isSplit ? bankReferenceOf(part.reference) || (own && `${own}/${index + 1}`) : own,
      payer: isCredit ? payer : payee,
      texts: wanted(TEXTS),
      legacyText: wanted(LEGACY_TEXTS).join(' ').slice(0, MAX_TEXT),
    }
  })
}

type IsAt = (...tags: string[]) => boolean

/**
 * Whether the element is the amount of the entry or of its transaction. The transaction amount of an entry may differ
 * from what was booked, for example by charges.
 */
const isAmount = (isAt: IsAt, part: Part | null): boolean =>
  part === null ? isAt('Ntry', 'Amt') : isAt('TxDtls', 'Amt') || isAt('TxAmt', 'Amt')

/** Stores the value of an element in its entry or transaction. */
function readValue(isAt: IsAt, tag: string, value: string, { entry, part }: { entry: Entry; part: Part | null }) {
  const target = part ?? entry
  if (TEXTS.includes(tag) && (tag !== 'Ref' || isAt('CdtrRefInf', 'Ref')) && (tag !== 'Nb' || isAt('RfrdDocInf', 'Nb')))
    target.texts.push({ tag, text: value })
  else if (isAmount(isAt, part)) target.cents = parseAmount(value.replace(/^\+/, ''))
  else if (isAt('Ntry', 'CdtDbtInd') || isAt('TxDtls', 'CdtDbtInd')) target.isCredit = value === 'CRDT'
  else if (isAt('Ntry', 'RvslInd')) entry.isReversal = value === 'true' || value === '1'
  else if (isAt('Ntry', 'Sts') || isAt('Ntry', 'Sts', 'Cd')) entry.isBooked ||= value === 'BOOK'
  else if (isAt('Ntry', 'BookgDt', 'Dt') || isAt('Ntry', 'BookgDt', 'DtTm')) entry.bookedOn = parseDay(value)
  else if (isAt('Ntry', 'ValDt', 'Dt') || isAt('Ntry', 'ValDt', 'DtTm')) entry.valuedOn = parseDay(value)
  else if (isAt('Ntry', 'AcctSvcrRef') || isAt('Refs', 'AcctSvcrRef')) target.reference = value
  else if (isAt('Ntry', 'NtryRef')) entry.entryReference = value
  else if (isAt('RltdPties', 'Dbtr', 'Nm') || isAt('RltdPties', 'Dbtr', 'Pty', 'Nm')) target.payer = value
  else if (isAt('RltdPties', 'Cdtr', 'Nm') || isAt('RltdPties', 'Cdtr', 'Pty', 'Nm')) target.payee = value
}

/**
 * Reads camt.052, camt.053 and camt.054 of any version (ISO 20022).
 * @throws UnreadableFile
 */
export function readCamt(xml: string): BankTurnover[] {
  if (/<!DOCTYPE/i.test(xml)) throw unreadableStatement(message`it has a document type`)
  const turnovers: BankTurnover[] = []
  let entries = 0
  const path: string[] = []
  let text = ''
  let report: { source: string; account: string } | null = null
  let entry: Entry | null = null
  let part: Part | null = null
  const isAt: IsAt = (...tags) => tags.every((tag, index) => path.at(index - tags.length) === tag)
  const open = (tag: string, attributeOf: (name: string) => string) => {
    path.push(tag)
    text = ''
    if (Object.hasOwn(REPORTS, tag)) report = { source: REPORTS[tag] ?? tag, account: '' }
    else if (tag === 'Ntry')
      entry = {
        ...newPart(false),
        number: ++entries,
        bookedOn: null,
        valuedOn: null,
        isBooked: false,
        isReversal: false,
        entryReference: '',
        parts: [],
      }
    else if (tag === 'TxDtls' && entry !== null) {
      part = newPart(entry.isCredit)
      entry.parts.push(part)
    } else if (isAmount(isAt, part)) {
      const target = part ?? entry
      if (target !== null) target.currency = attributeOf('Ccy')
    }
  }
  const close = (tag: string) => {
    const value = text.trim()
    text = ''
    if (entry !== null) readValue(isAt, tag, value, { entry, part })
    else if (report !== null && path.at(-5) !== undefined && isAccount(isAt)) report.account = value.toUpperCase()
    path.pop()
    if (tag === 'TxDtls') part = null
    if (tag !== 'Ntry' || entry === null) return
    turnovers.push(...turnoversOf(entry, report ?? { source: 'camt', account: '' }))
    entry = null
  }
  const addText = (value: string) => {
    text += value
  }
  walkXml(xml, { open, close, text: addText }, unreadableStatement)
  if (report === null) throw unreadableStatement(message`it has no statement`)
  return turnovers
}

const isAccount = (isAt: IsAt) =>
  Object.keys(REPORTS).some(report => isAt(report, 'Acct', 'Id', 'IBAN') || isAt(report, 'Acct', 'Id', 'Othr', 'Id'))

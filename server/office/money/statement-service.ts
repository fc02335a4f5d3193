import type { ActOfKind } from '#contract/acts/acts.ts'
import * as repository from '#server/features/money/batch-repository.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import { accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { requireUpload } from '#server/office/frame/upload-service.ts'
import type { BankTurnover, TurnoverPlace } from '#server/platform/files/bank-turnover.ts'
import { readStatementFile } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import * as statements from './statement-repository.ts'
import {
  type BookedTurnover,
  findInvoiceNumbers,
  findRefundReferences,
  findSamePayment,
  type Identity,
  identifyTurnovers,
  type Match,
  matchCredit,
  REFUND_RETURNED,
  reasonToIgnore,
  type Unmatched,
} from './statement-rules.ts'

type Columns = NonNullable<ActOfKind<'mark-paid'>['columns']>

/** A turnover in the response. Payer and text are only in previews, because responses are stored. */
type Line = {
  paidOn: string | null
  /** null if it is unreadable; negative for debits */
  amount: number | null
  currency?: string
  invoiceNumbers?: string[]
  reference?: string
  why?: Unmatched | 'samePayment' | 'paidBack' | 'refundReturned'
  /** identifies the turnover in `confirm` and `drop` */
  key?: string
  decision?: 'confirmed' | 'dropped'
  /** the payment that the turnover may repeat */
  earlier?: { paidOn: string; byHand: boolean }
  payer?: string
  text?: string
  /** position of a turnover or file that is unreadable */
  place?: TurnoverPlace
}
type Lists = {
  paid: Line[]
  repeated: Line[]
  maybe: Line[]
  unmatched: Line[]
  ignored: { pending: Line[]; currency: Line[]; debit: Line[]; unreadable: Line[] }
}

/** Columns that a person has assigned, with what is needed to assign them differently. */
type Assigned = { columns: string[]; rows: string[][]; chosen: Columns }
type ReadStatement = { turnovers: BankTurnover[]; assigned: Assigned | null }

async function readTurnovers(office: OfficeContext, fileId: string, columns?: Columns): Promise<ReadStatement> {
  const { content } = await requireUpload(office, fileId)
  const read = async (layouts: Parameters<typeof readStatementFile>[2]) => {
    try {
      return await readStatementFile('bank statement', content, layouts)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return office.fail('failed.statement', { reason: error.said.in(office.language) })
    }
  }
  const first = await read([])
  if (Array.isArray(first)) return { turnovers: first, assigned: null }
  const { header, names, rows } = first
  const stored = (await statements.listCsvLayouts(office.tx)).find(layout => layout.header === header)
  const chosen = columns ?? stored?.columns
  const isComplete = chosen !== undefined && Object.values(chosen).every(name => names.includes(name))
  const turnovers = isComplete ? await read([{ header, columns: chosen }]) : first
  // New columns without any day or amount are refused, because they would be remembered.
  const isReadable =
    Array.isArray(turnovers) &&
    (columns === undefined || turnovers.some(({ bookedOn, cents }) => bookedOn !== null && cents !== null))
  if (!isComplete || !isReadable) return office.fail('failed.statementColumns', {}, { columns: names, rows })
  if (columns !== undefined) await statements.upsertCsvLayout(office.tx, { header, columns }, accountIdOf(office.actor))
  return { turnovers, assigned: { columns: names, rows, chosen } }
}

type Facts = {
  invoices: ReadonlyMap<string, invoices.InvoiceRow>
  payments: statements.RecordedPayment[]
  refunds: ReadonlyMap<string, statements.TransferredRefund>
}

async function loadFacts({ tx }: OfficeContext, turnovers: readonly BookedTurnover[]): Promise<Facts> {
  const numbers = [...new Set(turnovers.flatMap(({ texts }) => findInvoiceNumbers(texts)))]
  const references = [...new Set(turnovers.flatMap(({ texts }) => findRefundReferences(texts)))]
  const rows = await invoices.listInvoicesByNumber(tx, numbers)
  return {
    invoices: new Map(rows.map(row => [row.number, row])),
    payments: await statements.listPayments(tx, numbers),
    refunds: new Map((await statements.listTransferredRefunds(tx, references)).map(row => [row.reference, row])),
  }
}

type Decisions = { confirm: ReadonlySet<string>; drop: ReadonlySet<string> }
type Import = { office: OfficeContext; facts: Facts; lists: Lists; decisions: Decisions; isPreview: boolean }

/** Records the payments of a turnover. A negative amount takes a payment back. */
async function pay({ office, facts }: Import, turnover: BookedTurnover, hash: Buffer, { plan }: Match): Promise<void> {
  const { bookedOn, source } = turnover
  const cents = plan.reduce((sum, part) => sum + part.cents, 0)
  const bankLineId = await statements.insertBankLine(office.tx, { hash, bookedOn, cents, source })
  for (const { invoice, cents: part } of plan) {
    const { number, webUserId } = invoice
    const madeBy = accountIdOf(office.actor)
    await invoices.insertPayment(office.tx, { number, paidOn: bookedOn, cents: part, madeBy, bankLineId })
    const row = facts.invoices.get(number)
    if (row !== undefined) row.paidCents += part
    if (webUserId !== null) office.addAffected({ people: [webUserId] })
  }
}

function toLine({ isPreview }: Import, turnover: BankTurnover): Line {
  const { bookedOn, cents, currency, isCredit, payer, texts, place } = turnover
  return {
    paidOn: bookedOn,
    amount: cents === null ? null : (isCredit ? cents : 0 - cents) / 100,
    ...(currency !== 'EUR' && { currency }),
    ...((bookedOn === null || cents === null) && { place }),
    ...(isPreview && { payer: payer.slice(0, 200), text: texts.join(' ').slice(0, 500) }),
  }
}

/** Adds a line that a person has to decide on, and carries the decision out. */
async function decide(
  run: Import,
  turnover: BookedTurnover,
  { hash }: Identity,
  question: Line & { repeatsPaymentId?: number },
  confirm: () => Promise<void>,
): Promise<void> {
  const { office, lists, decisions } = run
  const { repeatsPaymentId = null, ...line } = question
  const key = hash.toString('hex').slice(0, 24)
  const decision = decisions.drop.has(key) ? 'dropped' : decisions.confirm.has(key) ? 'confirmed' : undefined
  lists.maybe.push({ ...line, key, ...(decision && { decision }) })
  if (decision === 'confirmed') await confirm()
  if (decision !== 'dropped') return
  const { bookedOn, cents, isCredit, source } = turnover
  const signed = isCredit ? cents : 0 - cents
  await statements.insertBankLine(office.tx, {
    hash,
    bookedOn,
    cents: signed,
    source,
    isDropped: true,
    repeatsPaymentId,
  })
}

async function takeDebit(run: Import, turnover: BookedTurnover, identity: Identity): Promise<void> {
  const { lists, facts } = run
  const line = toLine(run, turnover)
  const numbers = findInvoiceNumbers(turnover.texts).filter(number => facts.invoices.has(number))
  const [invoice] = numbers.flatMap(number => facts.invoices.get(number) ?? [])
  if (invoice === undefined) return void lists.ignored.debit.push(line)
  if (numbers.length > 1 || turnover.cents > invoice.paidCents)
    return void lists.unmatched.push({ ...line, invoiceNumbers: numbers, why: 'debit' })
  await decide(run, turnover, identity, { ...line, invoiceNumbers: numbers, why: 'paidBack' }, () =>
    pay(run, turnover, identity.hash, { plan: [{ invoice, cents: 0 - turnover.cents }], isTooMuch: false }),
  )
}

/** A credit without an invoice may be a refund that the payee's bank has returned. */
async function takeReturnedRefund(run: Import, turnover: BookedTurnover, identity: Identity): Promise<boolean> {
  const { office, facts } = run
  const refund = findRefundReferences(turnover.texts)
    .flatMap(reference => facts.refunds.get(reference) ?? [])
    .find(({ cents }) => cents === turnover.cents)
  if (refund === undefined) return false
  const { bookedOn, cents, source } = turnover
  const line: Line = { ...toLine(run, turnover), reference: refund.reference, why: 'refundReturned' }
  await decide(run, turnover, identity, line, async () => {
    await statements.insertBankLine(office.tx, { hash: identity.hash, bookedOn, cents, source, batchLineId: refund.id })
    await repository.updateBatchLines(office.tx, [refund.id], 'returned', REFUND_RETURNED)
    if (refund.webUserId !== null) office.addAffected({ people: [refund.webUserId] })
  })
  return true
}

async function takeCredit(run: Import, turnover: BookedTurnover, identity: Identity): Promise<void> {
  const { lists, facts } = run
  const line = toLine(run, turnover)
  const match = matchCredit(turnover, facts.invoices)
  if (typeof match === 'string') {
    if (match !== 'cancelled' && (await takeReturnedRefund(run, turnover, identity))) return
    return void lists.unmatched.push({ ...line, why: match })
  }
  const invoiceNumbers = match.plan.map(({ invoice }) => invoice.number)
  const [same] = match.plan.flatMap(
    ({ invoice, cents }) => findSamePayment(facts.payments, turnover, { number: invoice.number, cents }) ?? [],
  )
  const isTooMuch = { ...line, invoiceNumbers, why: 'tooMuch' as const }
  if (same !== undefined) {
    // A payment can be repeated by one turnover only.
    facts.payments.splice(facts.payments.indexOf(same), 1)
    const earlier = { paidOn: same.paidOn, byHand: same.source === 'hand' }
    const question: Line = { ...line, invoiceNumbers, why: 'samePayment', earlier }
    const isConfirmed = run.decisions.confirm.has(identity.hash.toString('hex').slice(0, 24))
    if (match.isTooMuch && isConfirmed) return void lists.unmatched.push(isTooMuch)
    return decide(run, turnover, identity, { ...question, repeatsPaymentId: same.id }, () =>
      pay(run, turnover, identity.hash, match),
    )
  }
  if (match.isTooMuch) return void lists.unmatched.push(isTooMuch)
  await pay(run, turnover, identity.hash, match)
  lists.paid.push({ ...line, invoiceNumbers })
}

const sumOf = (lines: readonly Line[]) =>
  Math.round(lines.reduce((sum, { amount }) => sum + (amount ?? 0) * 100, 0)) / 100

/**
 * Records the payments in a bank statement by the invoice numbers in their texts. Every turnover is in exactly one list
 * of the response: recorded as payment, recorded before, to be decided on, without an invoice, or ignored.
 */
export async function importBankStatement(
  office: OfficeContext,
  { fileId, columns, confirm = [], drop = [], preview }: ActOfKind<'mark-paid'> & { fileId: string },
): Promise<Record<string, unknown>> {
  await repository.lockBatches(office.tx)
  const { turnovers, assigned } = await readTurnovers(office, fileId, columns)
  const lists: Lists = {
    paid: [],
    repeated: [],
    maybe: [],
    unmatched: [],
    ignored: { pending: [], currency: [], debit: [], unreadable: [] },
  }
  const booked: BookedTurnover[] = []
  const decisions = { confirm: new Set(confirm), drop: new Set(drop) }
  const blank: Facts = { invoices: new Map(), payments: [], refunds: new Map() }
  const run: Import = { office, facts: blank, lists, decisions, isPreview: preview === true }
  for (const turnover of turnovers) {
    const reason = reasonToIgnore(turnover)
    if (reason !== null) lists.ignored[reason].push(toLine(run, turnover))
    else booked.push(turnover as BookedTurnover)
  }
  run.facts = await loadFacts(office, booked)
  const recorded = await statements.listBankLines(office.tx, [...new Set(booked.map(({ bookedOn }) => bookedOn))])
  const identities = identifyTurnovers(booked, recorded, ({ texts }) =>
    findInvoiceNumbers(texts).filter(number => run.facts.invoices.has(number)),
  )
  // A payment that is in the file itself is repeated by no other turnover of the file.
  const present = new Set(identities.flatMap(({ hash, isRecorded }) => (isRecorded ? hash.toString('hex') : [])))
  run.facts.payments = run.facts.payments.filter(({ hash }) => !present.has(hash))
  for (const [index, turnover] of booked.entries()) {
    const identity = identities[index]
    if (identity === undefined) continue
    if (identity.isRecorded) lists.repeated.push(toLine(run, turnover))
    else if (turnover.cents === 0) lists.ignored.debit.push(toLine(run, turnover))
    else await (turnover.isCredit ? takeCredit : takeDebit)(run, turnover, identity)
  }
  const counts = Object.fromEntries(
    Object.entries({ ...lists, ...lists.ignored }).flatMap(([name, lines]) =>
      Array.isArray(lines) ? [[name, lines.length]] : [],
    ),
  )
  office.note({ after: { ...counts, cents: Math.round(sumOf(lists.paid) * 100) } })
  // As the texts of turnovers, the rows are only in the preview, because the response is stored.
  return { ...lists, amount: sumOf(lists.paid), ...(preview && assigned) }
}

import { REMINDER_LEVELS } from '#contract/acts/batches.ts'
import { formatDate, formatMoney } from '#contract/words.ts'
import * as repository from '#server/features/money/batch-repository.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import { listPayables } from '#server/features/money/payable-repository.ts'
import { deletePaymentOrder } from '#server/features/money/payout-repository.ts'
import { addDays } from '#server/features/money/proof-rules.ts'
import { type ActHandler, accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { requireUpload } from '#server/office/frame/upload-service.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { readCsvFile } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import { requirePostings, sumPostings } from '../accounting-service.ts'
import {
  cancelInvoice as cancel,
  closeBatch as close,
  countPayers,
  filterPayablesForBatch,
  listExcludedCourses,
  listUnbillablePayables,
} from '../batch-service.ts'
import { divideSetOff, requestIbans } from '../refund-service.ts'
import { sendMoneyNotice } from '../settlement-service.ts'
import { importBankStatement } from '../statement-service.ts'

const openBatch = async (office: OfficeContext, id: number): Promise<repository.BatchRow> => {
  await repository.lockBatches(office.tx)
  office.note({ objects: { batchId: id } })
  return (await repository.findBatch(office.tx, id)) ?? office.fail('unknown.batches')
}

/** Creates a draft batch. Its content is recalculated whenever it is read, until the batch is closed. */
const createBatch: ActHandler<'create-batch'> = async (
  office,
  { batchKind: kind, divisionId = null, period = null },
) => {
  await repository.lockBatches(office.tx)
  if (divisionId !== null) await office.touch('divisions', divisionId)
  const payables = await listPayables(office.tx, null, await listExcludedCourses(office.tx, office.config.region, kind))
  const chosen = filterPayablesForBatch(payables, { kind, divisionId })
  // Nobody can enter an IBAN for a deleted account.
  const withoutIban =
    kind === 'refund'
      ? listUnbillablePayables(payables).filter(({ cause, webUserId }) => cause === 'iban' && webUserId !== null)
      : []
  if (kind !== 'accounting' && chosen.length + withoutIban.length === 0) office.fail('failed.emptyBatch')
  const id = await repository.insertBatch(office.tx, {
    kind,
    divisionId,
    period,
    createdBy: accountIdOf(office.actor),
  })
  const { count, cents } =
    kind === 'accounting'
      ? sumPostings((await requirePostings(office, { divisionId, period })).postings)
      : { count: countPayers(chosen), cents: chosen.reduce((sum, one) => sum + one.cents, 0) }
  office.note({
    objects: { batchId: id },
    after: { kind, divisionId, count, cents, ...(period !== null && { period }) },
  })
  await requestIbans(office, withoutIban)
  return { id, count, amount: cents / 100 }
}

/** Notifies the payer of an invoice, which is attached to the notice. */
async function sendInvoice(
  office: OfficeContext,
  { number, webUserId }: Pick<invoices.InvoiceRow, 'number' | 'webUserId'>,
  key: string,
  values: Record<string, string | number>,
  isLetter: boolean,
): Promise<void> {
  if (webUserId === null) return
  const document = { name: `${number}.pdf`, invoice: number, ...(isLetter && { isLetter: true as const }) }
  await sendMoneyNotice(office, [webUserId], key, () => values, document)
}

const dayOf = (date: string) => formatDate(toDateTimeValue(`${date} 00:00:00`))

/**
 * Closes a batch, which finalizes its entries and creates its file. Each payer receives the invoice. Invoices of deleted
 * accounts cannot be delivered and must be printed from the file.
 */
const closeBatch: ActHandler<'close-batch'> = async (office, { batchId, preview }) => {
  const batch = await openBatch(office, batchId)
  if (batch.state !== 'draft') office.fail('failed.batchClosed')
  const { count, cents, outdated, transliterated } = await close(office, batch)
  const closed = await repository.findBatch(office.tx, batchId)
  office.note({ after: { count, cents, sha256: closed?.sha256 ?? '' } })
  // Names are in the preview only, because responses are stored.
  const result = { id: batchId, count, amount: cents / 100, ...(preview && { transliterated }) }
  if (batch.kind !== 'invoice') return result
  const issued = await invoices.listInvoicesOfBatch(office.tx, batchId)
  const { recipient, iban } = office.config.billing.invoice
  for (const invoice of issued) {
    const { number, dueOn } = invoice
    const values = { number, amount: formatMoney(invoice.cents / 100), day: dayOf(dueOn), recipient, iban }
    await sendInvoice(office, invoice, 'invoice', values, true)
  }
  office.addAffected({ people: issued.flatMap(({ webUserId }) => webUserId ?? []) })
  const undelivered = issued.filter(({ webUserId }) => webUserId === null).map(({ number, name }) => ({ number, name }))
  return { ...result, invoices: issued.length, undelivered, outdated }
}

type Refused = { line: number; reference: string; reason: string }

/** Records payroll's response: all lines are accepted, or all except those listed in a CSV file. */
const answerBatch: ActHandler<'answer-batch'> = async (office, { batchId, fileId, all }) => {
  const batch = await openBatch(office, batchId)
  if (batch.state === 'draft') office.fail('failed.batchOpen')
  if (batch.state === 'answered') office.fail('failed.batchAnswered')
  if (batch.kind === 'accounting') office.fail('failed.accountingAnswer')
  if ((fileId === undefined) === (all === undefined)) office.fail('failed.answer')
  const lines = await repository.listBatchLines(office.tx, batchId)
  const { lines: refused, unread } =
    fileId === undefined
      ? { lines: [], unread: [] }
      : await readRefused(office, (await requireUpload(office, fileId)).content)
  const byReference = new Map(lines.map(line => [line.reference, line]))
  const returned = new Map<number, string>()
  for (const { line: row, reference, reason } of refused) {
    if (reference === '') return office.fail('failed.referenceMissing', { line: row })
    const line = byReference.get(reference)
    // Refunds that were offset against unpaid invoices are not part of the payment order.
    if (line === undefined || line.state !== 'sent') return office.fail('failed.reference', { line: row, reference })
    // A line may be refused for several reasons.
    returned.set(line.id, [...new Set([returned.get(line.id), reason].filter(Boolean))].join('; '))
  }
  // A line that a bank statement has reported as returned stays so.
  const accepted = lines.filter(({ id, state }) => !returned.has(id) && state !== 'returned')
  const ids = accepted.map(({ id }) => id)
  await repository.updateBatchLines(office.tx, ids, 'accepted')
  for (const [id, why] of returned) await repository.updateBatchLines(office.tx, [id], 'returned', why)
  await repository.updateBatchAnswered(office.tx, batchId)
  await deletePaymentOrder(office.tx, batchId)
  // Lines whose amount is 0 are neither shown nor in the file.
  const counts = { accepted: accepted.filter(({ cents }) => cents !== 0).length, returned: returned.size }
  office.note({ after: counts })
  return { ...counts, ...(unread.length > 0 && { unread }) }
}

/**
 * Reads the lines that payroll or a bank has refused. `unread`: columns that are not read, by name or number such as '#4'
 */
async function readRefused(office: OfficeContext, content: Buffer): Promise<{ lines: Refused[]; unread: string[] }> {
  const csv = await readCsvFile('refused lines', content, { isAnyEncoding: true }).catch(error => {
    if (error instanceof UnreadableFile) return office.fail('failed.refusedFile')
    throw error
  })
  if ('text' in csv) return office.fail('failed.refusedFile')
  const [head, ...records] = csv.records
  const names = head?.cells.map(cell => cell.trim().toLowerCase()) ?? []
  const [reference, reason] = [names.indexOf('reference'), names.indexOf('reason')]
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
  if (reference < 0 || isTwice('reference') || isTwice('reason')) return office.fail('failed.refusedFile')
  const width = Math.max(0, ...csv.records.map(({ cells }) => cells.length))
  const others = Array.from({ length: width }, (_, column) => column).filter(
    column =>
      column !== reference && column !== reason && csv.records.some(({ cells }) => (cells[column] ?? '').trim() !== ''),
  )
  return {
    lines: records.map(({ line, cells }) => ({
      line,
      reference: cells[reference]?.trim() ?? '',
      reason: cells[reason]?.trim() ?? '',
    })),
    unread: others.map(column => head?.cells[column]?.trim() || `#${column + 1}`),
  }
}

const lockInvoice = async (office: OfficeContext, number: string): Promise<invoices.InvoiceRow> => {
  await repository.lockBatches(office.tx)
  return (await invoices.findInvoice(office.tx, number)) ?? office.fail('unknown.invoices')
}

const addPayer = (office: OfficeContext, { webUserId }: invoices.InvoiceRow) => {
  if (webUserId !== null) office.addAffected({ people: [webUserId] })
}

const openInvoice = async (office: OfficeContext, number: string): Promise<invoices.InvoiceRow> => {
  office.note({ objects: { invoiceNumber: number } })
  const invoice = await lockInvoice(office, number)
  addPayer(office, invoice)
  return invoice
}

/**
 * Records a payment, which may be partial, or all payments in a bank statement. Repeating a payment of the same day, or
 * one of a bank statement within ten days, requires a reason.
 */
const markPaid: ActHandler<'mark-paid'> = async (office, act) => {
  const { invoiceNumber: number, paidOn, amount, fileId } = act
  const isComplete = number !== undefined && paidOn !== undefined && amount !== undefined
  const isEmpty = number === undefined && paidOn === undefined && amount === undefined
  if (fileId !== undefined && isEmpty) return importBankStatement(office, { ...act, fileId })
  if (fileId !== undefined || !isComplete) return office.fail('failed.payment')
  const invoice = await openInvoice(office, number)
  office.refuseOwn(invoice.webUserId)
  const cents = Math.round(amount * 100)
  if (invoice.state === 'cancelled' || invoice.state === 'cancelling') office.fail('failed.invoiceCancelled')
  if (cents === 0) office.fail('failed.zeroAmount')
  const { today } = await invoices.findCurrentDate(office.tx)
  if (paidOn > today) office.fail('failed.paidAhead')
  const rest = invoice.cents - invoice.paidCents
  if (cents > rest) office.fail('failed.paidTooMuch', { max: formatMoney(rest / 100) })
  if ((await invoices.countSamePayments(office.tx, number, paidOn, cents)) > 0) office.askReason('reason.samePayment')
  await invoices.insertPayment(office.tx, { number, paidOn, cents, madeBy: accountIdOf(office.actor) })
  office.note({ after: { paidOn, cents } })
  return { open: (rest - cents) / 100 }
}

/**
 * Cancels an unpaid invoice by issuing a cancellation invoice. The amount is held until it can be billed another way.
 */
const cancelInvoice: ActHandler<'cancel-invoice'> = async (office, { invoiceNumber }) => {
  const invoice = await openInvoice(office, invoiceNumber)
  office.refuseOwn(invoice.webUserId)
  if (invoice.state === 'cancelling' || invoice.state === 'cancelled') office.fail('failed.invoiceCancelled')
  const { cents, paidCents } = invoice
  if (paidCents > 0)
    office.fail('failed.invoicePaid', {
      paid: formatMoney(paidCents / 100),
      rest: formatMoney((cents - paidCents) / 100),
    })
  const number = await cancel(office, invoice)
  office.note({ after: { number } })
  await sendInvoice(
    office,
    { number, webUserId: invoice.webUserId },
    'invoiceCancelled',
    { number: invoice.number, cancelling: number },
    true,
  )
  return { number }
}

/**
 * Sends reminders of unpaid invoices with the invoice attached, without charging a fee. Invoices of deleted accounts are
 * only marked as reminded. Credits that a refund run sets off reduce the amount. `credited`: invoices that they cover,
 * which are left out.
 */
const remindInvoices: ActHandler<'remind-invoices'> = async (office, { invoiceNumbers, level, dueOn }) => {
  const numbers = [...new Set(invoiceNumbers)]
  const { today } = await invoices.findCurrentDate(office.tx)
  if (dueOn !== undefined && dueOn < today) office.fail('failed.dueOnPast')
  const { dueDays, recipient, iban } = office.config.billing.invoice
  const newDueOn = dueOn ?? addDays(today, dueDays)
  const credits = filterPayablesForBatch(await listPayables(office.tx), { kind: 'refund', divisionId: null }).filter(
    ({ route }) => route.kind === 'set-off',
  )
  const reminded: string[] = []
  const credited: string[] = []
  for (const number of numbers) {
    const invoice = await lockInvoice(office, number)
    const { state, cents, paidCents, reminders, webUserId, accountId } = invoice
    if (state !== 'open' && state !== 'overdue') office.fail('failed.nothingToRemind', { number })
    const credit = credits.find(one => (webUserId === null ? one.accountId === accountId : one.webUserId === webUserId))
    const setOff = credit && (await divideSetOff(office.tx, credit)).find(part => part.number === number)
    const rest = cents - paidCents - (setOff?.cents ?? 0)
    if (rest === 0) {
      credited.push(number)
      continue
    }
    reminded.push(number)
    addPayer(office, invoice)
    const reached = level ?? Math.min(reminders + 1, Math.max(...REMINDER_LEVELS))
    const values = {
      number,
      amount: formatMoney(rest / 100),
      issued: dayOf(invoice.issuedOn),
      day: dayOf(invoice.dueOn),
      until: dayOf(newDueOn),
      recipient,
      iban,
    }
    await sendInvoice(office, invoice, `invoiceReminder${reached}`, values, false)
    await invoices.updateInvoiceReminded(office.tx, number, reached)
  }
  if (reminded.length === 0) office.fail('failed.creditFirst', { numbers: credited.join(', ') })
  office.note({ objects: { invoiceNumbers: reminded.join(' ') }, after: { dueOn: newDueOn, ...(level && { level }) } })
  return { dueOn: newDueOn, ...(credited.length > 0 && { credited }) }
}

export const batchHandlers = {
  'create-batch': createBatch,
  'close-batch': closeBatch,
  'answer-batch': answerBatch,
  'mark-paid': markPaid,
  'cancel-invoice': cancelInvoice,
  'remind-invoices': remindInvoices,
}

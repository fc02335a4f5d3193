import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { UnbillableCause } from '#contract/values.ts'
import { type Language, language as languageSchema } from '#contract/values.ts'
import { formatDate, nameInLanguage } from '#contract/words.ts'
import * as repository from '#server/features/money/batch-repository.ts'
import { formatInvoiceNumber, toPayrollRows, writePayrollFile } from '#server/features/money/batch-rules.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import { insertCarriedEntries, insertEntryReason } from '#server/features/money/ledger-repository.ts'
import {
  listCoursesWithPayables,
  listPayableEntries,
  listPayables,
  type Payable,
  type PayableEntries,
} from '#server/features/money/payable-repository.ts'
import { listUnpaidInvoicesOfPayer } from '#server/features/money/payout-repository.ts'
import { addDays } from '#server/features/money/proof-rules.ts'
import { listPrintedLedgerEntries } from '#server/features/money/repository.ts'
import { type BillingRoute, billingRouteKey, billingRouteOf } from '#server/features/money/rules.ts'
import { type CourseToSettle, listCoursesToSettle } from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, isSettlementOutdated } from '#server/features/money/settlement-service.ts'
import { accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { findServerTime, toDateTimeValue } from '#server/platform/db/date-time.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { makeAccountingFile } from './accounting-service.ts'
import { layOutInvoice, type PrintedInvoice } from './invoice-model.ts'
import { makeRefundFiles } from './refund-service.ts'

type Routed<P extends Payable> = P & { route: BillingRoute }

/** Billing routes of the amounts that each kind of batch contains. */
const KINDS: Record<repository.BatchKind, readonly BillingRoute['kind'][]> = {
  payroll: ['payroll'],
  invoice: ['invoice'],
  refund: ['set-off', 'payout'],
  // contains documents instead of unbilled amounts
  accounting: [],
}

/** Unbilled amounts to include in a batch. In a payroll batch, negative amounts are refunds. */
export const filterPayablesForBatch = <P extends Payable>(
  payables: readonly P[],
  { kind, divisionId }: { kind: repository.BatchKind; divisionId: number | null },
): Routed<P>[] =>
  payables
    .map(payable => ({ ...payable, route: billingRouteOf(payable) }))
    .filter(({ route }) => KINDS[kind].includes(route.kind))
    .filter(payable => divisionId === null || payable.divisionId === divisionId)

/**
 * Courses with unbilled entries whose settlement is outdated. Their entries are left out of invoices until the course has
 * been settled again, because people would pay an amount that is known to be wrong.
 */
export async function listOutdatedCourses(
  db: Queryable,
  region: string,
): Promise<Pick<CourseToSettle, 'courseId' | 'number' | 'name' | 'name2'>[]> {
  const [courses, now] = [await listCoursesToSettle(db, await listCoursesWithPayables(db)), await findServerTime(db)]
  return courses
    .filter(course => isSettlementOutdated(course, calculateSettlementLines(course, region, now)))
    .map(({ courseId, number, name, name2 }) => ({ courseId, number, name, name2 }))
}

/** Ids of the courses whose entries a batch of this kind leaves out. */
export const listExcludedCourses = async (
  db: Queryable,
  region: string,
  kind: repository.BatchKind,
): Promise<number[]> =>
  kind === 'invoice' ? (await listOutdatedCourses(db, region)).map(({ courseId }) => courseId) : []

/** Number of payers with an amount. Others are in the batch, but in neither its file nor an invoice. */
export const countPayers = (payables: readonly Pick<Payable, 'accountId' | 'cents'>[]): number =>
  new Set(payables.flatMap(({ accountId, cents }) => (cents === 0 ? [] : accountId))).size

/** Payers whose amounts cannot be billed, with the reason. */
export const listUnbillablePayables = (payables: readonly Payable[]): (Payable & { cause: UnbillableCause })[] =>
  payables.flatMap(payable => {
    const route = billingRouteOf(payable)
    return route.kind === 'held' && payable.cents !== 0 ? [{ ...payable, cause: route.cause }] : []
  })

/**
 * Payers whose amounts cannot be billed, with what a season has of them. Amounts of seasons are billed together, so that
 * a charge of one and a credit of another may leave nothing that waits.
 */
export async function listHeldPayables(db: Queryable, seasonId: number | null) {
  const held = listUnbillablePayables(await listPayables(db))
  if (seasonId === null) return held
  const keyOf = ({ webUserId, accountId, cause }: (typeof held)[number]) => `${webUserId ?? -accountId} ${cause}`
  const known = new Set(held.map(keyOf))
  return listUnbillablePayables(await listPayables(db, null, [], seasonId)).filter(one => known.has(keyOf(one)))
}

/** Amounts that cannot be billed, by reason. */
export const sumUnbillablePayables = (
  held: readonly (Payable & { cause: UnbillableCause })[],
): { cause: UnbillableCause; count: number; amount: number }[] =>
  [...Map.groupBy(held, ({ cause }) => cause)].map(([cause, all]) => ({
    cause,
    count: all.length,
    amount: all.reduce((sum, { cents }) => sum + cents, 0) / 100,
  }))

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()

export type ClosedBatch = {
  /** number of payers with an amount */
  count: number
  cents: number
  outdated: Awaited<ReturnType<typeof listOutdatedCourses>>
  /** texts that the encoding of the file could not represent */
  transliterated: string[]
}

/**
 * Closes a draft batch, which another one may have emptied: finalizes its entries and creates its files. Runs in the
 * action's transaction, so that no batch is closed without its file.
 */
export async function closeBatch(office: OfficeContext, batch: repository.BatchRow): Promise<ClosedBatch> {
  const { tx, actor, config } = office
  if (batch.kind === 'accounting') {
    const { file, ...sums } = await makeAccountingFile(office, batch)
    await repository.updateBatchClosed(tx, batch.id, sha256(file), accountIdOf(actor))
    return { ...sums, outdated: [], transliterated: [] }
  }
  const outdated = batch.kind === 'invoice' ? await listOutdatedCourses(tx, config.region) : []
  const payables = await listPayableEntries(
    tx,
    outdated.map(({ courseId }) => courseId),
    batch.id,
  )
  const all = filterPayablesForBatch(payables, batch)
  // Somebody else has to close a run with the own refund.
  const isOwn = ({ webUserId }: Payable) => batch.kind === 'refund' && webUserId === accountIdOf(actor)
  const chosen = all.filter(payable => !isOwn(payable))
  if (chosen.length === 0 && all.length > 0) office.refuseOwn(accountIdOf(actor))
  const { today } = await invoices.findCurrentDate(tx)
  const separated = await separateCredits(office, chosen, payables)
  const referenced = separated.map((payable, index) => ({
    ...payable,
    reference: `${batch.id}-${String(index + 1).padStart(5, '0')}`,
  }))
  const lineIds = await repository.insertBatchLines(
    tx,
    batch.id,
    referenced.map(line => ({ ...line, route: billingRouteKey(line.route) })),
  )
  const lines = referenced.map((line, index): Line => ({ ...line, lineId: lineIds[index] ?? 0 }))
  const make = { payroll: makePayrollFiles, invoice: makeInvoices, refund: makeRefundFiles }[batch.kind]
  const { file, transliterated } = await make(office, batch, lines, today)
  await repository.updateBatchClosed(tx, batch.id, sha256(file), accountIdOf(actor))
  // If all refunds were offset against unpaid invoices, or the batch is empty, there is no response to wait for.
  if (lines.every(({ route }) => route.kind === 'set-off')) await repository.updateBatchAnswered(tx, batch.id)
  const cents = lines.reduce((sum, line) => sum + line.cents, 0)
  return { count: countPayers(lines), cents, outdated, transliterated }
}

type Line = Routed<PayableEntries> & { reference: string; lineId: number }

/**
 * Gives both parts of each credit that pays invoices first their own ledger entries. The rest remains unbilled if it is
 * not in the batch.
 */
async function separateCredits<P extends PayableEntries>(
  { tx, actor }: OfficeContext,
  chosen: readonly P[],
  payables: readonly PayableEntries[],
): Promise<P[]> {
  const carried = new Map<number, number[]>()
  for (const [index, rest] of payables.entries()) {
    const { accountId } = rest
    if (payables[index - 1]?.accountId !== accountId) continue
    if (!chosen.some(one => one.accountId === accountId)) continue
    const ids = await insertCarriedEntries(tx, rest, accountIdOf(actor))
    const numbers = (await listUnpaidInvoicesOfPayer(tx, accountId)).map(({ number }) => number)
    for (const id of ids) await insertEntryReason(tx, id, numbers.join(', '))
    carried.set(accountId, ids)
  }
  return chosen.map((line, index) => {
    const [reducing, part] = carried.get(line.accountId) ?? []
    if (reducing === undefined || part === undefined) return line
    const isRest = chosen[index - 1]?.accountId === line.accountId
    return { ...line, entryIds: isRest ? [part] : [...line.entryIds, reducing] }
  })
}

/** File of a batch. `transliterated`: texts that the encoding of the file could not represent */
type BatchFile = { file: Buffer; transliterated: string[] }

async function makePayrollFiles(
  { tx, config }: OfficeContext,
  { id, period }: repository.BatchRow,
  lines: Line[],
  today: string,
): Promise<BatchFile> {
  const { billing } = config
  const energy = await repository.sumEnergyFees(
    tx,
    lines.map(({ lineId }) => lineId),
  )
  const payrollLines = lines.map(({ payer, division, cents, reference, lineId }) => ({
    personnelNumber: payer.personnelNumber,
    division,
    cents,
    energyCents: energy.get(lineId) ?? 0,
    reference,
  }))
  const month = period ?? today.slice(0, 7)
  const { content, transliterated } = writePayrollFile(billing, payrollLines, month)
  const { header, rows, sum } = toPayrollRows(billing, payrollLines, month)
  const sheet = { name: 'payroll', rows: [header, ...rows, sum], textColumns: [...header.keys()] }
  const xlsx = Buffer.from(await printDocument({ sheets: [sheet] }))
  await repository.insertBatchFile(tx, id, 'csv', content)
  await repository.insertBatchFile(tx, id, 'xlsx', xlsx)
  return { file: content, transliterated }
}

/**
 * Issues the invoices of a batch.
 * @returns a zip of their PDFs
 */
async function makeInvoices(
  office: OfficeContext,
  { id: batchId }: repository.BatchRow,
  lines: Line[],
  today: string,
): Promise<BatchFile> {
  const { tx, config } = office
  const year = Number(today.slice(0, 4))
  const zip = new ZipFile()
  let sequence = await invoices.nextInvoiceSequence(tx, year)
  for (const line of lines) {
    if (line.cents === 0) continue
    const number = formatInvoiceNumber(year, sequence)
    const dueOn = addDays(today, config.billing.invoice.dueDays)
    const invoice = { ...line.payer, number, issuedOn: today, dueOn, cents: line.cents, cancels: '' }
    const pdf = await printInvoice(office, invoice, line.entryIds, line.webUserId)
    await invoices.insertInvoice(tx, {
      ...invoice,
      cancels: null,
      year,
      sequence,
      lineId: line.lineId,
      accountId: line.accountId,
      pdf,
    })
    zip.addBuffer(pdf, `${number}.pdf`, { mtime: new Date(`${today}T00:00:00Z`) })
    sequence += 1
  }
  zip.end()
  const content = await buffer(zip.outputStream)
  await repository.insertBatchFile(tx, batchId, 'zip', content)
  return { file: content, transliterated: [] }
}

/** Formats the first and last day of a course, '12.01.2027–30.03.2027'. */
const formatSpan = (from: string, to: string) =>
  [...new Set([from, to])].map(day => formatDate(toDateTimeValue(`${day} 00:00:00`))).join('–')

/** Renders an invoice in the payer's language, with one line per course and one for each entry without a course. */
async function printInvoice(
  { tx, config }: OfficeContext,
  invoice: Omit<PrintedInvoice, 'language' | 'lines'>,
  entryIds: readonly number[],
  webUserId: number | null,
): Promise<Buffer> {
  const entries = await listPrintedLedgerEntries(tx, entryIds, webUserId)
  const language: Language = languageSchema.options.find(one => one === entries[0]?.language) ?? 'de'
  const lines = [...Map.groupBy(entries, ({ courseId, kind }) => `${courseId} ${kind}`).values()].map(same => {
    const [first] = same
    const kind = translate(language, `office.entry.${first?.kind ?? 'correction'}`)
    // The period of the service is required above 250 € (section 14 (4) no. 6 UStG).
    const span = first?.startsOn && first.endsOn ? `, ${formatSpan(first.startsOn, first.endsOn)}` : ''
    const course =
      first && first.courseId !== null ? `${nameInLanguage(language, first)} (${first.number}${span}): ` : ''
    const cents = same.reduce((sum, one) => sum + one.cents, 0)
    return { text: `${course}${kind}`, cents: invoice.cancels === '' ? cents : 0 - cents }
  })
  const shown = lines.filter(({ cents }) => cents !== 0)
  return Buffer.from(
    await printDocument({
      pdf: layOutInvoice({ ...invoice, language, lines: shown }, config.billing, config.branding),
    }),
  )
}

/**
 * Cancels an invoice by issuing a cancellation invoice. Its entries are billed again in the next batch.
 * @returns the number of the cancellation invoice
 */
export async function cancelInvoice(office: OfficeContext, invoice: invoices.InvoiceRow): Promise<string> {
  const { tx } = office
  const { today, year } = await invoices.findCurrentDate(tx)
  const sequence = await invoices.nextInvoiceSequence(tx, year)
  const number = formatInvoiceNumber(year, sequence)
  const entryIds = invoice.lineId === null ? [] : await repository.listEntriesOfLine(tx, invoice.lineId)
  const cancelling = {
    ...invoice,
    number,
    issuedOn: today,
    dueOn: today,
    cents: 0 - invoice.cents,
    cancels: invoice.number,
  }
  const pdf = await printInvoice(office, cancelling, entryIds, invoice.webUserId)
  await invoices.insertInvoice(tx, { ...cancelling, year, sequence, lineId: null, pdf })
  if (invoice.lineId !== null) await repository.updateBatchLines(tx, [invoice.lineId], 'returned', invoice.number)
  return number
}

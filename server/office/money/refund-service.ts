import { escapeFormula } from '#contract/escape-formula.ts'
import { formatMoney } from '#contract/words.ts'
import * as repository from '#server/features/money/batch-repository.ts'
import { writeBatchCsv } from '#server/features/money/batch-rules.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import type { Payable } from '#server/features/money/payable-repository.ts'
import { listUnpaidInvoicesOfPayer, readAndDeleteIbans } from '#server/features/money/payout-repository.ts'
import type { BillingRoute } from '#server/features/money/rules.ts'
import { accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { type CreditTransfer, writeCreditTransfers } from '#server/platform/payments/payment-order-rules.ts'
import { sendMoneyNotice } from './settlement-service.ts'

type RefundLine = Payable & { route: BillingRoute; reference: string; lineId: number }

/** Divides a credit among the payer's unpaid invoices, oldest first. */
export async function divideSetOff(
  tx: Queryable,
  { accountId, cents }: Pick<Payable, 'accountId' | 'cents'>,
): Promise<{ number: string; cents: number }[]> {
  const unpaid = await listUnpaidInvoicesOfPayer(tx, accountId)
  let left = 0 - cents
  return unpaid.flatMap(({ number, rest }) => {
    const part = Math.min(left, rest)
    left -= part
    return part === 0 ? [] : [{ number, cents: part }]
  })
}

/**
 * Sets a credit off against the payer's unpaid invoices.
 * @returns the numbers of the invoices
 */
async function setOff({ tx, actor }: OfficeContext, line: RefundLine, today: string): Promise<string[]> {
  const { cents, lineId } = line
  const parts = await divideSetOff(tx, line)
  const left = parts.reduce((sum, part) => sum - part.cents, 0 - cents)
  if (left > 0) throw new Error(`line ${lineId}: ${left} cents are not covered by unpaid invoices`)
  for (const part of parts)
    await invoices.insertPayment(tx, { ...part, paidOn: today, madeBy: accountIdOf(actor), setOffLineId: lineId })
  await repository.updateBatchLines(tx, [lineId], 'accepted')
  return parts.map(({ number }) => number)
}

/**
 * Creates the files of a refund batch: a CSV file with all lines, and a payment order for the refunds to pay out. The
 * IBANs are then deleted.
 * @returns the CSV file, and the texts that its encoding could not represent
 */
export async function makeRefundFiles(
  office: OfficeContext,
  { id: batchId }: Pick<repository.BatchRow, 'id'>,
  lines: readonly RefundLine[],
  today: string,
): Promise<{ file: Buffer; transliterated: string[] }> {
  const { tx, config } = office
  const isPaidOut = ({ route }: RefundLine) => route.kind === 'payout'
  const ibans = await readAndDeleteIbans(
    tx,
    lines.filter(isPaidOut).flatMap(({ webUserId }) => webUserId ?? []),
  )
  const transfers: CreditTransfer[] = []
  const rows = []
  for (const line of lines) {
    const { reference, webUserId, payer, cents } = line
    const amount = 0 - cents
    const numbers = isPaidOut(line) ? [] : await setOff(office, line, today)
    const iban = webUserId === null ? undefined : ibans.get(webUserId)
    if (isPaidOut(line)) {
      if (iban === undefined) throw new Error(`line ${reference}: the IBAN is missing`)
      transfers.push({ reference, name: payer.name, iban, cents: amount })
    }
    rows.push([reference, escapeFormula(payer.name), { cents: amount }, numbers.join(' ')])
    const values = { amount: formatMoney(amount / 100), numbers: numbers.join(', ') }
    if (webUserId !== null)
      await sendMoneyNotice(office, [webUserId], isPaidOut(line) ? 'refundPaid' : 'refundSetOff', () => values)
  }
  const header = ['reference', 'name', 'amount', 'setOffAgainst']
  const { content: file, transliterated } = writeBatchCsv(config.billing, [header, ...rows])
  await repository.insertBatchFile(tx, batchId, 'csv', file)
  if (transfers.length > 0) {
    const order = writeCreditTransfers(config.billing, { id: `REFUND-${batchId}`, today, transfers })
    await repository.insertBatchFile(tx, batchId, 'xml', order)
  }
  return { file, transliterated }
}

/** Asks the payees in a draft to enter a missing IBAN. */
export async function requestIbans(office: OfficeContext, payables: readonly Payable[]): Promise<void> {
  for (const { webUserId, cents } of payables)
    if (webUserId !== null)
      await sendMoneyNotice(office, [webUserId], 'ibanNeeded', () => ({ amount: formatMoney((0 - cents) / 100) }))
}

import { createHash } from 'node:crypto'
import * as repository from '#server/features/money/batch-repository.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import { accountIdOf, type OfficeContext } from '#server/office/frame/office-context-service.ts'
import { requireUpload } from '#server/office/frame/upload-service.ts'
import { readStatementFile } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import type { BankCredit } from '#server/platform/files/read-bank-statement.ts'

type Unmatched = 'noNumber' | 'severalNumbers' | 'unknown' | 'cancelled' | 'tooMuch' | 'reversal'

async function readCredits(office: OfficeContext, fileId: string): Promise<BankCredit[]> {
  const { content } = await requireUpload(office, fileId)
  try {
    return await readStatementFile('bank statement', content)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return office.fail('failed.statement', { reason: error.said.in(office.language) })
  }
}

/**
 * Hashes the credits in a bank statement. Equal credits within a statement are numbered, so that each is treated as a
 * separate payment.
 */
function hashCredits(credits: readonly BankCredit[]): Buffer[] {
  const counts = new Map<string, number>()
  return credits.map(({ bookedOn, cents, text }) => {
    const content = JSON.stringify([bookedOn, cents, text.replaceAll(/\s+/g, ' ').trim().toUpperCase()])
    const count = (counts.get(content) ?? 0) + 1
    counts.set(content, count)
    return createHash('sha256').update(`${content} ${count}`).digest()
  })
}

/** Finds the unpaid invoice that a credit refers to, or the reason why none matches. */
async function findPaidInvoice(
  { tx }: OfficeContext,
  { text, cents, isReversal }: BankCredit,
): Promise<invoices.InvoiceRow | Unmatched> {
  if (isReversal) return 'reversal'
  const numbers = new Set(
    [...text.matchAll(/(?<!\d)(20\d\d)\s?-?\s?(\d{6})(?!\d)/g)].map(([, year, rest]) => `${year}-${rest}`),
  )
  const [number, ...others] = numbers
  if (number === undefined) return 'noNumber'
  if (others.length > 0) return 'severalNumbers'
  const invoice = await invoices.findInvoice(tx, number)
  if (invoice === null) return 'unknown'
  if (invoice.state === 'cancelled' || invoice.state === 'cancelling') return 'cancelled'
  return cents > invoice.cents - invoice.paidCents ? 'tooMuch' : invoice
}

/**
 * Records the payments in a bank statement by the invoice numbers in their texts. Credits recorded before are skipped,
 * so importing a statement again changes nothing. Returns the credits that do not match exactly one unpaid invoice,
 * without their texts.
 */
export async function importBankStatement(office: OfficeContext, fileId: string): Promise<Record<string, unknown>> {
  const { tx } = office
  await repository.lockBatches(tx)
  const credits = await readCredits(office, fileId)
  const hashes = hashCredits(credits)
  const known = await invoices.listRecordedBankCreditHashes(tx, hashes)
  const unmatched: { paidOn: string; amount: number; why: Unmatched }[] = []
  let [paid, repeated, sum] = [0, 0, 0]
  for (const [index, credit] of credits.entries()) {
    const hash = hashes[index] ?? Buffer.alloc(0)
    if (known.has(hash.toString('hex'))) {
      repeated += 1
      continue
    }
    const { bookedOn: paidOn, cents } = credit
    const invoice = await findPaidInvoice(office, credit)
    if (typeof invoice === 'string') {
      unmatched.push({ paidOn, amount: cents / 100, why: invoice })
      continue
    }
    const bankLineId = await invoices.insertBankCredit(tx, { hash, bookedOn: paidOn, cents })
    const { number, webUserId } = invoice
    await invoices.insertPayment(tx, { number, paidOn, cents, madeBy: accountIdOf(office.actor), bankLineId })
    if (webUserId !== null) office.addAffected({ people: [webUserId] })
    paid += 1
    sum += cents
  }
  office.note({ after: { paid, cents: sum, repeated, unmatched: unmatched.length } })
  return { paid, amount: sum / 100, repeated, unmatched }
}

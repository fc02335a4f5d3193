import type { BillingConfig } from '#contract/endpoints/billing.ts'
import * as repository from '#server/features/money/batch-repository.ts'
import * as invoices from '#server/features/money/invoice-repository.ts'
import { insertPostings, listOpenPostings, type StoredPosting } from '#server/features/money/posting-repository.ts'
import {
  type AccountingConfig,
  filterPostingsForFile,
  writeAccountingFile,
} from '#server/features/money/posting-rules.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { Queryable } from '#server/platform/db/client.ts'

type Draft = Pick<repository.BatchRow, 'divisionId' | 'period'>

/** Postings that a draft would contain if it were closed now; none if accounting is not configured. */
export async function listDraftPostings(
  db: Queryable,
  { divisionId, period }: Draft,
  { accounting }: BillingConfig,
): Promise<StoredPosting[]> {
  if (accounting === undefined) return []
  const { today } = await invoices.findCurrentDate(db)
  const postings = await listOpenPostings(db, {
    divisionId,
    from: accounting.from,
    until: period === null ? today : lastDayOf(period),
  })
  return filterPostingsForFile(postings, accounting)
}

const lastDayOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)

export const sumPostings = (postings: readonly StoredPosting[]): { count: number; cents: number } => ({
  count: postings.length,
  cents: postings.reduce((sum, { cents }) => sum + cents, 0),
})

/** Settings and postings of a draft. Fails if there are no postings or accounting is not configured. */
export async function requirePostings(
  office: OfficeContext,
  draft: Draft,
): Promise<{ accounting: AccountingConfig; postings: StoredPosting[] }> {
  const { accounting } = office.config.billing
  if (accounting === undefined) return office.fail('failed.accountingMissing')
  const postings = await listDraftPostings(office.tx, draft, office.config.billing)
  return postings.length > 0 ? { accounting, postings } : office.fail('failed.noPostings')
}

/**
 * Closes an accounting file.
 * @returns the file
 */
export async function makeAccountingFile(
  office: OfficeContext,
  batch: repository.BatchRow,
): Promise<{ file: Buffer; count: number; cents: number }> {
  const { id, createdAt } = batch
  const { accounting, postings } = await requirePostings(office, batch)
  await insertPostings(office.tx, id, postings)
  const file = writeAccountingFile(accounting, { name: `Buchungsstapel ${id}`, createdAt, postings })
  await repository.insertBatchFile(office.tx, id, 'csv', file)
  return { file, ...sumPostings(postings) }
}

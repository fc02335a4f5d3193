import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import type { OfficeContext } from '#server/office/frame/office-context-service.ts'
import type { HrListRow, RemovedPersonnelNumbers } from './hr-list-repository.ts'
import * as repository from './hr-list-repository.ts'
import { endCompanyAccess } from './hr-list-repository.ts'

export type { HrListRow } from './hr-list-repository.ts'

type EligibleChange = { unverified: number; verified: number; left: number }

/** Updates the HR list. People no longer on it become unverified and lose their single sign-on access. */
export async function updateHrList(
  office: OfficeContext,
  rows: readonly HrListRow[],
  gone: RemovedPersonnelNumbers,
): Promise<EligibleChange> {
  const { tx } = office
  const divisions = rows.flatMap(({ divisionId }) => divisionId ?? [])
  if (!(await repository.divisionsExist(tx, divisions))) office.fail('unknown.divisions')
  await repository.lockHrList(tx)
  const dropped = (await repository.markAccountsUnverified(tx, gone)).map(({ id }) => id)
  // Single sign-on stays blocked for these people until their personnel number is on the HR list again.
  const left = await endCompanyAccess(tx, dropped)
  await repository.saveHrListRows(tx, rows, gone)
  const numbers = rows.map(({ personnelNumber }) => personnelNumber)
  const verified = (await repository.markAccountsVerified(tx, numbers)).map(({ id }) => id)
  await updatePricesOfVerifiedPeople(tx, verified)
  office.addAffected({ people: [...dropped, ...verified] })
  return { unverified: dropped.length, verified: verified.length, left }
}

export async function replaceHrList(office: OfficeContext, rows: readonly HrListRow[]): Promise<EligibleChange> {
  const seen = new Set<string>()
  const numbers = rows.map(({ personnelNumber }) => personnelNumber)
  const twice = numbers.find(number => seen.has(number) || !seen.add(number))
  if (twice !== undefined) office.fail('failed.numberTwice', { number: twice })
  const before = await repository.countHrListEntries(office.tx)
  const change = await updateHrList(office, rows, { but: numbers })
  office.note({ before: { rows: before }, after: { rows: rows.length, ...change } })
  return change
}

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { MANUAL_ENTRY_KINDS, SETTLEMENT_ENTRY_KINDS } from '#contract/values.ts'
import { updatePricesOfVerifiedPeople } from '#server/features/money/price-repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import {
  findOrCreateLedgerAccounts,
  insertLedgerEntries,
  listCoursesOfPerson,
  listEntrySums,
  listLedgerBalances,
  type NewLedgerEntry,
} from './ledger-repository.ts'
import { calculateCourseSettlement, calculateFloorEntryCents, type SettlementLine, sumCents } from './rules.ts'
import {
  type CourseToSettle,
  endVerificationDiscount,
  insertSettlement,
  listCoursesToSettle,
  listVerificationDiscounts,
  lockParticipants,
} from './settlement-repository.ts'

export const hashOfLines = (lines: readonly SettlementLine[]): Buffer =>
  createHash('sha256').update(JSON.stringify(lines)).digest()

/**
 * Calculates a course's settlement lines from its current bookings, lessons and attendance, and from the participants'
 * accepted sick notes and shift certificates.
 */
export const calculateSettlementLines = (course: CourseToSettle, region: string, now: string): SettlementLine[] =>
  calculateCourseSettlement(course, course.bookings, { region, now })

/** Whether the course's settlement has these lines. Lines of accounts deleted since then are ignored. */
const isSettledAs = ({ settlement }: CourseToSettle, lines: readonly SettlementLine[]): boolean => {
  if (settlement === null) return false
  const { remaining, factsHash } = settlement
  return remaining === null ? factsHash.equals(hashOfLines(lines)) : isDeepStrictEqual(remaining, lines)
}

/**
 * Whether attendance, sick notes, shift certificates or lessons have changed since the settlement.
 * @param lines the course's current lines
 */
export const isSettlementOutdated = (course: CourseToSettle, lines: readonly SettlementLine[]): boolean =>
  course.settlement !== null && !isSettledAs(course, lines)

export type SettlementResult = { course: CourseToSettle; lines: SettlementLine[]; entries: NewLedgerEntry[] }

/**
 * Settles a locked course: stores the calculation and writes ledger entries for the differences. Idempotent: if the
 * calculation yields the same lines as before, nothing is written. Before that, lowers the prices of people who have
 * been verified since booking.
 * @param check throws unless the course can be settled
 * @returns null if the course does not exist
 */
export async function settleCourse(
  tx: Queryable,
  courseId: number,
  {
    region,
    actorId,
    check,
  }: { region: string; actorId: number | null; check?: (course: CourseToSettle, now: string) => void },
): Promise<SettlementResult | null> {
  await lockParticipants(tx, courseId)
  await updatePricesOfVerifiedPeople(tx, await listVerificationDiscounts(tx, courseId))
  await endVerificationDiscount(tx, courseId)
  const [course] = await listCoursesToSettle(tx, [courseId])
  if (!course) return null
  const now = await findServerTime(tx)
  check?.(course, now)
  const lines = calculateSettlementLines(course, region, now)
  if (isSettledAs(course, lines)) return { course, lines, entries: [] }
  const accounts = await findOrCreateLedgerAccounts(
    tx,
    lines.map(({ webUserId }) => webUserId),
  )
  const settlementId = await insertSettlement(
    tx,
    { courseId, number: (course.settlement?.number ?? 0) + 1, madeBy: actorId, factsHash: hashOfLines(lines) },
    lines.map(line => ({ ...line, accountId: accounts.get(line.webUserId) ?? 0 })),
  )
  const entries = await writeDifferences(tx, courseId, lines, { settlementId, madeBy: actorId })
  return { course, lines, entries }
}

/** Writes ledger entries for the difference between each booking's recorded and calculated amount. */
async function writeDifferences(
  tx: Queryable,
  courseId: number,
  lines: readonly SettlementLine[],
  made: { settlementId: number | null; madeBy: number | null },
): Promise<NewLedgerEntry[]> {
  const people = [...new Set(lines.map(({ webUserId }) => webUserId))]
  const accounts = await findOrCreateLedgerAccounts(tx, people)
  const sums = Map.groupBy(await listEntrySums(tx, courseId), ({ bookingId }) => bookingId)
  const balances = await listLedgerBalances(tx, people)
  const entries: NewLedgerEntry[] = []
  for (const line of lines) {
    const { bookingId, webUserId } = line
    const present = new Map((sums.get(bookingId) ?? []).map(({ kind, cents }) => [kind, cents]))
    const manual = MANUAL_ENTRY_KINDS.reduce((sum, kind) => sum + (present.get(kind) ?? 0), 0)
    const settledBefore = SETTLEMENT_ENTRY_KINDS.reduce((sum, kind) => sum + (present.get(kind) ?? 0), 0)
    const settled = sumCents(line.cents)
    // The person's ledger balance without this booking. Added to the booking's amount, it must not be negative, because
    // goodwill credits without a course may already have been offset against charges.
    const elsewhere = (balances.get(webUserId) ?? 0) - settledBefore - manual
    const floor = Math.max(calculateFloorEntryCents(settled, manual), 0 - settled - manual - elsewhere)
    for (const kind of SETTLEMENT_ENTRY_KINDS) {
      const target = kind === 'floor' ? floor : line.cents[kind]
      const cents = target - (present.get(kind) ?? 0)
      if (cents !== 0) entries.push({ accountId: accounts.get(webUserId) ?? 0, courseId, bookingId, kind, cents })
    }
    balances.set(webUserId, elsewhere + manual + settled + floor)
  }
  if (entries.length > 0) await insertLedgerEntries(tx, entries, made)
  return entries
}

/** Reverses the ledger entries of a locked course, because a cancelled course costs nothing (money.md rule 8). */
export async function reverseCourseLedgerEntries(
  tx: Queryable,
  courseId: number,
  { region, actorId }: { region: string; actorId: number | null },
): Promise<void> {
  const sums = await listEntrySums(tx, courseId)
  if (sums.every(({ cents }) => cents === 0)) return
  const [course] = await listCoursesToSettle(tx, [courseId])
  if (!course) return
  const lines = calculateSettlementLines(course, region, await findServerTime(tx))
  await writeDifferences(tx, courseId, lines, { settlementId: null, madeBy: actorId })
}

/**
 * Charges a person for all courses, or writes what has changed since they were settled, based on attendance, sick notes
 * and shift certificates so far. Call this before the account is erased, because attendance cannot be attributed
 * afterwards.
 */
export async function settleCoursesOfPerson(tx: Queryable, webUserId: number, region: string): Promise<void> {
  const now = await findServerTime(tx)
  for (const course of await listCoursesToSettle(tx, await listCoursesOfPerson(tx, webUserId))) {
    const lines = calculateSettlementLines(course, region, now).filter(line => line.webUserId === webUserId)
    // Nobody can decide after the deletion, so what was settled remains.
    if (course.settlement !== null && lines.some(({ outcome }) => outcome === 'undecided')) continue
    await writeDifferences(tx, course.courseId, lines, { settlementId: null, madeBy: null })
  }
}

import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office/money.ts'
import { keysOf, recordFromKeys } from '#contract/records.ts'
import { type Language, SETTLEMENT_ENTRY_KINDS } from '#contract/values.ts'
import { listCertifiableBookings } from '#server/features/certificates/repository.ts'
import { type BatchRow, listBatchLines } from '#server/features/money/batch-repository.ts'
import { listPayables } from '#server/features/money/payable-repository.ts'
import { listPostingsOfBatch } from '#server/features/money/posting-repository.ts'
import { findCoursePrices } from '#server/features/money/price-repository.ts'
import * as repository from '#server/features/money/repository.ts'
import { isUnrecordedLesson, lastLessonEnd, type SettledLesson, sumCents } from '#server/features/money/rules.ts'
import { listCoursesToSettle, listSettleableCourses } from '#server/features/money/settlement-repository.ts'
import { calculateSettlementLines, isSettlementOutdated } from '#server/features/money/settlement-service.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listDraftPostings, sumPostings } from './accounting-service.ts'
import {
  countPayers,
  filterPayablesForBatch,
  listExcludedCourses,
  listHeldPayables,
  listOutdatedCourses,
  listUnbillablePayables,
  sumUnbillablePayables,
} from './batch-service.ts'
import { REFUND_RETURNED } from './statement-rules.ts'

/** Totals of a season, or of all seasons, in euros. */
export async function getMoneyTotals(db: Queryable, seasonId: number | null): Promise<repository.MoneyTotals> {
  const cents = await repository.findMoneyTotals(db, seasonId)
  return recordFromKeys(keysOf(cents), key => cents[key] / 100)
}

/** Financial overview of a season, or of all seasons, for the office UI. */
export async function getMoneyOverview(
  db: Database,
  seasonId: number | null,
  region: string,
): Promise<ResponseOf<typeof contract.getOfficeMoney>> {
  const now = await findServerTime(db)
  const [courses, totals, held, open] = await Promise.all([
    listSettleableCourses(db, seasonId).then(ids => listCoursesToSettle(db, ids)),
    getMoneyTotals(db, seasonId),
    listHeldPayables(db, seasonId),
    repository.countAttendanceProofs(db),
  ])
  const { payrollOpen, invoicedOpen, ...shown } = totals
  const line = ({ courseId, number, name, name2 }: (typeof courses)[number]) => ({ courseId, number, name, name2 })
  const settled = courses
    .filter(({ settlement }) => settlement !== null)
    .map(course => ({ course, lines: calculateSettlementLines(course, region, now) }))
  const isOver = ({ lessons }: (typeof courses)[number]) => (lastLessonEnd(lessons) ?? '') <= now
  return {
    totals: shown,
    held: sumUnbillablePayables(held),
    toSettle: courses
      .filter(course => course.settlement === null && !course.isCancelled && isOver(course))
      .map(course => ({
        ...line(course),
        openLessons: course.lessons.filter(lesson => isUnrecordedLesson(lesson, now)).length,
        isListOpen: !course.isClosed,
        people: course.bookings.filter(({ isEnded }) => !isEnded).length,
      })),
    outdated: settled
      .filter(({ course, lines }) => isSettlementOutdated(course, lines))
      .map(({ course }) => line(course)),
    undecided: settled
      .map(({ course, lines }) => ({
        ...line(course),
        people: lines.filter(({ outcome }) => outcome === 'undecided').length,
      }))
      .filter(({ people }) => people > 0),
    proofs: { open },
  }
}

const recordingOf = (lesson: SettledLesson, now: string) => {
  if (lesson.isCancelled) return 'cancelled'
  if (lesson.isExcluded) return 'excluded'
  if (lesson.isRecorded) return 'recorded'
  return isUnrecordedLesson(lesson, now) ? 'open' : 'ahead'
}

/**
 * Settlement of a course based on its current data: the lines that would be stored if the course were settled now, and
 * the stored ones.
 */
export async function getCourseSettlement(
  db: Database,
  courseId: number,
  region: string,
): Promise<ResponseOf<typeof contract.getSettlement> | null> {
  const [course] = await listCoursesToSettle(db, [courseId])
  if (!course) return null
  const now = await findServerTime(db)
  const lines = calculateSettlementLines(course, region, now)
  const names = await repository.listPeopleNames(
    db,
    lines.map(({ webUserId }) => webUserId),
  )
  const certificates = new Map(
    (await listCertifiableBookings(db, courseId)).flatMap(({ bookingId, code, isEarned }) =>
      isEarned || code !== null ? [[bookingId, { code }] as const] : [],
    ),
  )
  const { number, name, name2, settlement } = course
  const { feeCents, energyCents, externalFeeCents } = await findCoursePrices(db, courseId)
  return {
    courseId,
    number,
    name,
    name2,
    settlement: settlement?.number ?? 0,
    isOutdated: isSettlementOutdated(course, lines),
    settledAt: settlement && (await repository.findSettlementTime(db, settlement.id)),
    lessons: course.lessons.map(lesson => ({
      courseDateId: lesson.id,
      at: lesson.heldAt.slice(0, 16).replace(' ', 'T'),
      recording: recordingOf(lesson, now),
    })),
    prices: {
      fee: feeCents / 100,
      energyFee: energyCents / 100,
      externalFee: externalFeeCents === null ? null : externalFeeCents / 100,
    },
    lines: lines.map(({ bookingId, cents, ...line }) => ({
      ...line,
      name: names.get(line.webUserId) ?? '',
      amounts: Object.fromEntries(
        SETTLEMENT_ENTRY_KINDS.flatMap(kind =>
          kind === 'floor' || cents[kind] === 0 ? [] : [[kind, cents[kind] / 100]],
        ),
      ),
      sum: sumCents(cents) / 100,
      certificate: certificates.get(bookingId) ?? null,
    })),
  }
}

type BatchSettings = Pick<Config, 'region' | 'billing'>

/** Fills in the count and sum that each draft batch would have if it were closed now. */
export async function withDraftTotals(
  db: Database,
  found: BatchRow[],
  { region, billing }: BatchSettings,
): Promise<BatchRow[]> {
  if (found.every(({ state }) => state !== 'draft')) return found
  const payables = await listPayables(db)
  const isInvoiceDraft = found.some(({ kind, state }) => kind === 'invoice' && state === 'draft')
  const invoiceable = isInvoiceDraft
    ? await listPayables(db, null, await listExcludedCourses(db, region, 'invoice'))
    : []
  const withTotals = async (batch: BatchRow): Promise<BatchRow> => {
    if (batch.state !== 'draft') return batch
    if (batch.kind === 'accounting') return { ...batch, ...sumPostings(await listDraftPostings(db, batch, billing)) }
    const chosen = filterPayablesForBatch(batch.kind === 'invoice' ? invoiceable : payables, batch)
    return { ...batch, count: countPayers(chosen), cents: chosen.reduce((sum, { cents }) => sum + cents, 0) }
  }
  return Promise.all(found.map(withTotals))
}

type BatchRead = Pick<ResponseOf<typeof contract.getBatch>, 'lines' | 'divisions' | 'held' | 'outdated'>

/** Lines of a closed batch, or the lines that a draft would have if it were closed now. */
export async function getBatchLines(
  db: Database,
  batch: BatchRow,
  { region, billing, language }: BatchSettings & { language: Language },
): Promise<BatchRead> {
  if (batch.kind === 'accounting') {
    const isDraft = batch.state === 'draft'
    const postings = isDraft ? await listDraftPostings(db, batch, billing) : await listPostingsOfBatch(db, batch.id)
    return {
      lines: postings.map(({ type, reference, otherReference, webUserId, name, cents }) => ({
        reference: otherReference || reference,
        webUserId,
        name,
        amount: cents / 100,
        state: isDraft ? ('draft' as const) : ('sent' as const),
        why: translate(language, `office.posting.${type}`),
      })),
      divisions: [],
      held: [],
      outdated: [],
    }
  }
  if (batch.state !== 'draft') {
    const lines = await listBatchLines(db, batch.id)
    return {
      lines: lines
        .filter(({ cents }) => cents !== 0)
        .map(({ id, accountId, cents, why, ...line }) => ({
          ...line,
          amount: cents / 100,
          why: why === REFUND_RETURNED ? translate(language, `office.${why}`) : why,
        })),
      divisions: [],
      held: [],
      outdated: [],
    }
  }
  const outdated = batch.kind === 'invoice' ? await listOutdatedCourses(db, region) : []
  const payables = await listPayables(
    db,
    null,
    outdated.map(({ courseId }) => courseId),
  )
  const chosen = filterPayablesForBatch(payables, batch).filter(({ cents }) => cents !== 0)
  return {
    outdated,
    lines: chosen.map(({ webUserId, payer: { name }, cents }) => ({
      reference: '',
      webUserId,
      name,
      amount: cents / 100,
      state: 'draft' as const,
      why: '',
    })),
    divisions: [...Map.groupBy(chosen, ({ division }) => division)].map(([name, all]) => ({
      name,
      count: countPayers(all),
      amount: all.reduce((sum, { cents }) => sum + cents, 0) / 100,
    })),
    held: sumUnbillablePayables(listUnbillablePayables(payables)),
  }
}

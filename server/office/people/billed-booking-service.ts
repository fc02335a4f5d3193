import { CANCELLATION_CHARGES } from '#contract/acts/bookings.ts'
import type { BilledBooking } from '#contract/office/people.ts'
import { isOneOf } from '#contract/records.ts'
import { hasRegularAttendance } from '#contract/rules/money-rules.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { countRecordedAttendance } from '#server/features/bookings/pricing-rules.ts'
import { canWaiveFee } from '#server/features/money/rules.ts'
import type { Database } from '#server/platform/db/client.ts'
import { findServerTime } from '#server/platform/db/date-time.ts'
import * as repository from './list-repository.ts'

type RecordedPlace = Pick<repository.BookingListRow, 'courseId' | 'presence' | 'placeSince' | 'proofs'> &
  Partial<Pick<repository.BookingListRow, 'placeUntil'>>

type AttendanceCounter = Awaited<ReturnType<typeof createAttendanceCounter>>
type Recorded = { seasonId: number | null; region: string; courseIds?: number[] }

/**
 * Reads the lessons of a season or of some courses.
 * @returns a function that counts the attendance of a participant in their course
 */
export async function createAttendanceCounter(db: Database, { seasonId, region, courseIds }: Recorded) {
  const lessons = await repository.listLessonTimes(db, seasonId, courseIds ?? null)
  const now = await findServerTime(db)
  const byCourse = new Map(lessons.map(of => [of.courseId, of.lessons]))
  return ({ courseId, presence, placeSince, placeUntil = null, proofs }: RecordedPlace) =>
    countRecordedAttendance(byCourse.get(courseId) ?? [], presence, { placeSince, placeUntil, now }, { region, proofs })
}

/** Amount due in cents: the ledger's amount or, before the settlement, a calculated one. */
function amountDueCentsOf(row: repository.ListedBooking, count: AttendanceCounter): number {
  if (row.settledCents !== null) return row.settledCents
  if (row.isEnded) return row.chargeCents
  const isWaived =
    canWaiveFee(row.freeWithAttendance, row.employeeStatus, row.priceRule) &&
    hasRegularAttendance(count(row), row.isClosed)
  return (isWaived ? 0 : row.feeCents) + row.energyCents
}

/**
 * Calculates the amounts due. Lowers charges for late cancellations, latest booking first, until nobody pays more than
 * one full price for a course, as the settlement will do. Amounts of settled courses stay.
 * @param rows all bookings that a person has or had in a course
 * @returns amounts in cents, keyed by booking id
 */
export function calculateAmountsDue(
  rows: readonly repository.ListedBooking[],
  count: AttendanceCounter,
): Map<number, number> {
  const seats = rows.filter(({ state }) => state === BOOKING_STATUS.Booked)
  const due = seats.map(row => ({ row, cents: amountDueCentsOf(row, count) }))
  for (const own of Map.groupBy(due, ({ row }) => `${row.courseId} ${row.webUserId}`).values()) {
    if (own.some(({ row }) => row.settledCents !== null)) continue
    const full = Math.max(...own.map(({ row }) => row.feeCents + row.energyCents))
    let excess = own.reduce((sum, { cents }) => sum + cents, 0) - full
    for (const late of own.filter(({ row }) => row.isEnded).sort((a, b) => b.row.bookingId - a.row.bookingId)) {
      const less = Math.min(late.cents, Math.max(0, excess))
      late.cents -= less
      excess -= less
    }
  }
  return new Map(due.map(({ row, cents }) => [row.bookingId, cents]))
}

/** Bookings in the order of `bookingIds`; unknown ids are omitted. */
export const findBilledBookings = async (db: Database, bookingIds: number[], region: string) =>
  (await findListedBookings(db, bookingIds, region)).map(({ booking }) => booking)

type ListedBooking = {
  booking: BilledBooking
  names: { name: string; number: string; courseName: string; courseName2: string }
}

/** Bookings with the names of person and course, in the order of `bookingIds`; unknown ids are omitted. */
async function findListedBookings(db: Database, bookingIds: number[], region: string): Promise<ListedBooking[]> {
  const rows = await repository.listBookingsOfSamePeople(db, bookingIds)
  const count = await createAttendanceCounter(db, {
    seasonId: null,
    region,
    courseIds: rows.map(({ courseId }) => courseId),
  })
  const amounts = calculateAmountsDue(rows, count)
  const byId = new Map(rows.map(row => [row.bookingId, row]))
  return bookingIds.flatMap(id => {
    const row = byId.get(id)
    if (!row) return []
    const { givenName, familyName, number, course: courseName, course2: courseName2 } = row
    const names = { name: `${givenName} ${familyName}`.trim(), number, courseName, courseName2 }
    return [{ booking: presentBilled(row, amounts.get(id) ?? 0), names }]
  })
}

const presentBilled = (row: repository.ListedBooking, cents: number): BilledBooking => ({
  bookingId: row.bookingId,
  courseId: row.courseId,
  webUserId: row.webUserId,
  bookingStatus: row.isEnded ? BOOKING_STATUS.NotBooked : row.state,
  since: row.since.replace(' ', 'T'),
  endedAt: row.endedAt?.replace(' ', 'T') ?? null,
  employeeStatus: row.employeeStatus,
  personnelNumber: row.personnelNumber,
  ownerPersonnelNumber: row.ownerPersonnelNumber,
  division: row.division,
  billingType: row.billingType,
  fee: row.feeCents / 100,
  energyFee: row.energyCents / 100,
  charge: isOneOf(CANCELLATION_CHARGES, row.charge) ? row.charge : 'none',
  amount: cents / 100,
  isVerified: row.isVerified,
  isOnPayroll: row.isOnPayroll,
})

const FIRST: repository.BookingChangeCursor = { cluster: '0', transaction: '0', bookingId: 0 }
type ChangeList = {
  /** cursor of the page before */
  after: string | undefined
  limit: number
  filters: repository.BookingFilters
  isNewestFirst: boolean
}
const positionOf = (cursor: string): repository.BookingChangeCursor => {
  const [cluster = '', transaction = '', bookingId = ''] = cursor.split('.')
  return { cluster, transaction, bookingId: Number(bookingId) }
}
const cursorOf = ({ cluster, transaction, bookingId }: repository.BookingChangeCursor) =>
  `${cluster}.${transaction}.${bookingId}`

/**
 * Bookings that match the filters, in the order of their last change. The returned `cursor` continues after this page;
 * `next` is set if there are more.
 */
export async function listBookingChanges(db: Database, { after, ...list }: ChangeList, region: string) {
  const position = after === undefined ? FIRST : positionOf(after)
  const changes = await repository.listChangedBookings(db, position, { ...list, limit: list.limit + 1 })
  const page = changes.slice(0, list.limit)
  const ids = page.map(({ bookingId }) => bookingId)
  const cursor = cursorOf(page.at(-1) ?? position)
  const next = changes.length > list.limit ? cursor : null
  return { items: await findListedBookings(db, ids, region), next, cursor }
}

import { type AttendanceNumbers, countAttendance } from '#contract/rules/money-rules.ts'
import type { SettlementEntryKind, UnbillableCause } from '#contract/values.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'
import { checkIban } from '#server/platform/payments/iban-rules.ts'
import { toSepaText } from '#server/platform/payments/payment-order-rules.ts'
import { type AttendanceProof, createAttendanceProofCheck } from './proof-rules.ts'

/** Employment status groups whose members do not pay the fee if they attend regularly. */
export const FEE_WAIVER_GROUPS: readonly EmployeeStatus[] = [EMPLOYEE_STATUS.Employee, EMPLOYEE_STATUS.Pensioner]

/**
 * Whether the fee of a booking is waived if the person attends regularly. The external fee is never waived (money.md
 * rule 7).
 */
export const canWaiveFee = (
  isWaiverOffered: boolean,
  employeeStatus: EmployeeStatus | null,
  rule: 'fee' | 'external',
): boolean => isWaiverOffered && rule === 'fee' && employeeStatus !== null && FEE_WAIVER_GROUPS.includes(employeeStatus)

/** Lesson of a course, possibly cancelled. Times are local times in the portal's time zone, 'YYYY-MM-DD HH:MM:SS'. */
export type SettledLesson = {
  id: number
  heldAt: string
  endsAt: string
  isCancelled: boolean
  /** whether the lesson is ignored in the attendance of all participants (action `exclude-lesson`) */
  isExcluded: boolean
  /** whether attendance is recorded for at least one person */
  isRecorded: boolean
}

/** A seat that a person has or had, with the prices stored at the time of booking. Amounts in cents. */
export type SettledBooking = {
  bookingId: number
  webUserId: number
  isEnded: boolean
  /** amount charged for a late cancellation */
  lateCents: number
  feeCents: number
  processingCents: number
  energyCents: number
  /** number of future lessons when the person received the seat */
  promised: number
  isWaiverOffered: boolean
  employeeStatus: EmployeeStatus | null
  rule: 'fee' | 'external'
  placeSince: string
  presence: readonly { lessonId: number; isPresent: boolean }[]
  /**
   * the department's decision on regular attendance if no lesson is included in the person's attendance (action
   * `decide-attendance`)
   */
  decision: boolean | null
  proofs: readonly AttendanceProof[]
}

export type AttendanceOutcome = 'regular' | 'not-regular' | 'undecided' | 'does-not-earn' | 'ended' | 'course-cancelled'

/** Settlement of one booking: the attendance on which it is based, and the amounts in cents by kind of ledger entry. */
export type SettlementLine = {
  bookingId: number
  webUserId: number
  counted: number
  present: number
  excused: number
  needed: number
  promised: number
  delivered: number
  outcome: AttendanceOutcome
  cents: Record<Exclude<SettlementEntryKind, 'floor'>, number>
}

const NOTHING: SettlementLine['cents'] = {
  fee: 0,
  'processing-fee': 0,
  'energy-fee': 0,
  'late-cancellation': 0,
  'lessons-cancelled': 0,
  waiver: 0,
}

/** Whether a past lesson has no recorded attendance and is therefore never treated as an absence (money.md rule 4). */
export const isUnrecordedLesson = (lesson: SettledLesson, now: string): boolean =>
  !lesson.isCancelled && !lesson.isExcluded && !lesson.isRecorded && lesson.endsAt <= now

/**
 * Partial refund of an amount for cancelled lessons, rounded up to the cent in the person's favour (money.md rule 8).
 */
export const calculateRefundCents = (cents: number, promised: number, delivered: number): number =>
  promised === 0 ? 0 : Math.ceil((cents * (promised - delivered)) / promised)

export const fullPriceCentsOf = ({ feeCents, processingCents, energyCents }: SettledBooking): number =>
  feeCents + processingCents + energyCents

export const sumCents = (cents: Record<string, number>): number =>
  Object.values(cents).reduce((sum, one) => sum + one, 0)

/**
 * Counts a person's attendance for a settlement. Includes only lessons that are neither cancelled nor excluded and have
 * recorded attendance.
 */
function attendanceOf(booking: SettledBooking, lessons: readonly SettledLesson[], region: string, now: string) {
  const presence = new Map(booking.presence.map(({ lessonId, isPresent }) => [lessonId, isPresent]))
  const check = createAttendanceProofCheck(region, booking.proofs)
  return countAttendance(
    lessons
      .filter(lesson => !lesson.isCancelled && !lesson.isExcluded && !isUnrecordedLesson(lesson, now))
      .map(({ id, heldAt, endsAt }) => ({ heldAt, endsAt, isPresent: presence.get(id) ?? null, ...check(heldAt) })),
    { placeSince: booking.placeSince, now },
  )
}

function outcomeOf(
  booking: SettledBooking,
  { planned, present, excused, needed }: AttendanceNumbers,
): AttendanceOutcome {
  if (!canWaiveFee(booking.isWaiverOffered, booking.employeeStatus, booking.rule)) return 'does-not-earn'
  if (booking.feeCents + booking.processingCents === 0) return 'does-not-earn'
  if (planned > 0) return present + excused >= needed ? 'regular' : 'not-regular'
  if (booking.decision === null) return 'undecided'
  return booking.decision ? 'regular' : 'not-regular'
}

function calculateBooking(
  booking: SettledBooking,
  lessons: readonly SettledLesson[],
  region: string,
  now: string,
): SettlementLine {
  const counted = attendanceOf(booking, lessons, region, now)
  const { feeCents, processingCents, energyCents, promised } = booking
  const takenPlace = lessons.filter(({ isCancelled, heldAt }) => !isCancelled && heldAt > booking.placeSince).length
  const delivered = Math.min(promised, takenPlace)
  const outcome = outcomeOf(booking, counted)
  const facts = {
    bookingId: booking.bookingId,
    webUserId: booking.webUserId,
    counted: counted.planned,
    present: counted.present,
    excused: counted.excused,
    needed: counted.needed,
    promised,
    delivered,
    outcome,
  }
  // Nothing is charged until the department has decided.
  if (outcome === 'undecided') return { ...facts, cents: NOTHING }
  const ofFee = calculateRefundCents(feeCents, promised, delivered)
  const ofEnergy = calculateRefundCents(energyCents, promised, delivered)
  return {
    ...facts,
    cents: {
      ...NOTHING,
      fee: feeCents,
      'processing-fee': processingCents,
      'energy-fee': energyCents,
      'lessons-cancelled': 0 - ofFee - ofEnergy,
      waiver: outcome === 'regular' ? 0 - (feeCents - ofFee) - processingCents : 0,
    },
  }
}

/**
 * Calculates the amounts for every current or former seat in a course (money.md rules 4 to 9, 13). A person with
 * several bookings is charged at most one full price.
 * @param now local time in the portal's time zone, 'YYYY-MM-DD HH:MM:SS', after the last lesson
 */
export function calculateCourseSettlement(
  { isCancelled, lessons }: { isCancelled: boolean; lessons: readonly SettledLesson[] },
  bookings: readonly SettledBooking[],
  { region, now }: { region: string; now: string },
): SettlementLine[] {
  const lines = bookings.map((booking): SettlementLine => {
    const { bookingId, webUserId, promised, lateCents } = booking
    const none = { bookingId, webUserId, counted: 0, present: 0, excused: 0, needed: 0, promised, delivered: 0 }
    if (isCancelled) return { ...none, outcome: 'course-cancelled', cents: NOTHING }
    if (booking.isEnded) return { ...none, outcome: 'ended', cents: { ...NOTHING, 'late-cancellation': lateCents } }
    return calculateBooking(booking, lessons, region, now)
  })
  for (const webUserId of new Set(bookings.filter(({ lateCents }) => lateCents > 0).map(booking => booking.webUserId)))
    limitToFullPrice(
      lines.filter(line => line.webUserId === webUserId),
      Math.max(...bookings.filter(booking => booking.webUserId === webUserId).map(fullPriceCentsOf)),
    )
  return lines
}

/**
 * Lowers a person's charges for late cancellations, latest booking first, until the total of the lines is at most
 * `fullCents`.
 */
function limitToFullPrice(lines: SettlementLine[], fullCents: number): void {
  let excess = lines.reduce((sum, { cents }) => sum + sumCents(cents), 0) - fullCents
  for (const line of [...lines].sort((a, b) => b.bookingId - a.bookingId)) {
    const late = line.cents['late-cancellation']
    const less = Math.min(late, Math.max(0, excess))
    if (less === 0) continue
    line.cents = { ...line.cents, 'late-cancellation': late - less }
    excess -= less
  }
}

/**
 * Amount in cents (at least 0) of the `floor` entry, which prevents goodwill credits from making the total of a booking
 * negative (money.md rule 9).
 */
export const calculateFloorEntryCents = (settledCents: number, manualCents: number): number =>
  Math.max(0, 0 - settledCents - manualCents)

/**
 * End of the last lesson that takes place; the course can be settled from then on.
 * @returns null if no lesson takes place
 */
export const lastLessonEnd = (lessons: readonly SettledLesson[]): string | null =>
  lessons.reduce<string | null>(
    (last, { isCancelled, endsAt }) => (isCancelled || (last !== null && last >= endsAt) ? last : endsAt),
    null,
  )

// --- Billing routes, and reasons why an amount cannot be billed (money.md rule 11) ---

export type Payer = {
  billingType: number | null
  /**
   * whether people with this employment status have a personnel number, so that the fees are deducted from their pay
   * unless another billing type is chosen
   */
  isOnPayroll: boolean
  isVerified: boolean
  personnelNumber: string
  /** whether the holder of this personnel number has agreed to pay */
  hasConsent: boolean
  name: string
  street: string
  zip: string
  city: string
  /** billing routes (`billingRouteKey`) through which an amount was returned unpaid */
  returned: readonly string[]
  /** unpaid invoices in cents, if the payer is owed a refund */
  unpaidCents: number
  /** IBAN for a refund; '' if the payer has not entered one */
  iban: string
}

export type BillingRoute =
  | { kind: 'payroll'; number: string }
  | { kind: 'invoice' | 'set-off' | 'payout' }
  | { kind: 'held'; cause: UnbillableCause }

export const billingRouteKey = (route: BillingRoute): string =>
  route.kind === 'payroll' ? `payroll ${route.number}` : route.kind === 'held' ? `held ${route.cause}` : route.kind

/**
 * Billing route: how an amount is collected from a payer or, if it is negative, refunded (money.md rules 11 and 14).
 * Amounts are collected through payroll or by invoice. Refunds are made through payroll; people who pay by invoice get
 * theirs offset against unpaid invoices that cover it, or paid out to their IBAN if their name can be written in a
 * payment order.
 */
export function billingRouteOf({ payer, cents }: { payer: Payer; cents: number }): BillingRoute {
  const found = findRoute(payer)
  if (cents < 0 && isByInvoice(found)) {
    if (payer.unpaidCents + cents >= 0) return { kind: 'set-off' }
    if (checkIban(payer.iban) !== 'valid') return held('iban')
    return toSepaText(payer.name, 70) === '' ? held('payeeName') : { kind: 'payout' }
  }
  return payer.returned.includes(billingRouteKey(found)) ? held('returned') : found
}

const held = (cause: UnbillableCause): BillingRoute => ({ kind: 'held', cause })

const isByInvoice = (route: BillingRoute) =>
  route.kind === 'invoice' || (route.kind === 'held' && route.cause === 'address')

/**
 * Divides a credit that is larger than the payer's unpaid invoices into the part that pays those invoices and the rest,
 * which is paid out. Without an IBAN, only the rest has to wait.
 */
export const divideCredit = <P extends { payer: Payer; cents: number }>(payable: P): P[] => {
  const { payer, cents } = payable
  const { unpaidCents } = payer
  if (unpaidCents <= 0 || cents + unpaidCents >= 0 || !isByInvoice(findRoute(payer))) return [payable]
  return [
    { ...payable, cents: 0 - unpaidCents },
    { ...payable, cents: cents + unpaidCents, payer: { ...payer, unpaidCents: 0 } },
  ]
}

function findRoute(payer: Payer): BillingRoute {
  const { personnelNumber } = payer
  const type = payer.billingType ?? (payer.isOnPayroll ? 1 : 4)
  if (type === 1) {
    if (personnelNumber === '') return held('personnelNumber')
    return payer.isVerified ? { kind: 'payroll', number: personnelNumber } : held('unverified')
  }
  if (type === 2) {
    if (personnelNumber === '') return held('personnelNumber')
    return payer.hasConsent ? { kind: 'payroll', number: personnelNumber } : held('consent')
  }
  if (type !== 3) return held('billingType')
  const isComplete = [payer.name, payer.street, payer.zip, payer.city].every(text => text.trim() !== '')
  return isComplete ? { kind: 'invoice' } : held('address')
}

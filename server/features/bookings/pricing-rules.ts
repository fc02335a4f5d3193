import type { AttendanceCount, Price } from '#contract/endpoints/courses.ts'
import { countAttendance, hasRegularAttendance, type SeatSpan } from '#contract/rules/money-rules.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import {
  type Booking,
  type CourseFacts,
  type CourseView,
  type CourseViewer,
  type Fee,
  type Lesson,
  lastFreeDayAfter,
} from '#server/features/courses/rules.ts'
import { type AttendanceProof, createAttendanceProofCheck } from '#server/features/money/proof-rules.ts'
import { canWaiveFee } from '#server/features/money/rules.ts'

/**
 * Placeholder for the fee in e-mail data that several people share. For promotions from the waiting list, the SQL
 * statement that creates the e-mails replaces it with each person's agreed fee.
 */
export const FEE_PLACEHOLDER: Fee = { cents: 0, rule: 'fee', energyCents: 0, onceVerifiedCents: null }

export const viewerBookingOf = ({ facts, viewer }: CourseView): Booking | null =>
  viewer?.bookings.get(facts.course.id) ?? null

export const isExternalViewer = (viewer: CourseViewer | null): boolean =>
  viewer?.employeeStatus === EMPLOYEE_STATUS.External

/**
 * Fee that the person agrees to when booking. An unverified person agrees to the external fee; verification can only
 * lower it. See docs/decisions/0027.
 */
export const bookingFeeOf = ({ facts, viewer }: CourseView): Fee => {
  const { feeCents, externalFeeCents } = facts
  const isUnverified = viewer?.isUnverified === true
  return {
    ...(isExternalViewer(viewer) || isUnverified
      ? { cents: externalFeeCents, rule: 'external' }
      : { cents: feeCents, rule: 'fee' }),
    energyCents: Math.round(facts.course.energyFee * 100),
    onceVerifiedCents: isUnverified ? Math.min(feeCents, externalFeeCents) : null,
  }
}

/**
 * First trial lesson of a participant who got the seat at `since` ('YYYY-MM-DD HH:MM:SS'); null if no lesson follows.
 */
export const firstLessonAfter = (lessons: readonly Lesson[], since: string): Lesson | null =>
  lessons.find(({ heldAt }) => heldAt > since) ?? null

/**
 * Day 'YYYY-MM-DD' of the first lesson of a person who receives a seat at `since`. The SQL function `first_lesson_at`
 * stores the same day with a booking.
 */
export function firstLessonDay({ lessons, changes, startsOn }: CourseFacts, since: string): string {
  const cancelled = changes.find(({ at, change }) => change.kind === 'cancelled' && at > since)?.at
  const at = firstLessonAfter(lessons, since)?.heldAt ?? cancelled ?? (startsOn > since ? startsOn : since)
  return at.slice(0, 10)
}

/**
 * Time until which a seat can be cancelled online, 'YYYY-MM-DD HH:MM:SS': the end of the fifth working day after the
 * person's first lesson, but no later than the start of the course's last lesson.
 */
export function cancellationDeadlineOf({ region, closesAtLocal }: CourseFacts, firstLessonOn: string): string {
  const end = `${lastFreeDayAfter(region, firstLessonOn)} 23:59:59`
  return end < closesAtLocal ? end : closesAtLocal
}

/** The deadline in the format of the office API, 'YYYY-MM-DDTHH:mm'; null without a seat. */
export const toFreeUntil = (facts: CourseFacts, firstLessonOn: string | null): string | null =>
  firstLessonOn && cancellationDeadlineOf(facts, firstLessonOn).slice(0, 16).replace(' ', 'T')

/**
 * Counts one person's recorded attendance. All times are 'YYYY-MM-DD HH:MM:SS' in the portal's time zone.
 * @param lessons the course's lessons, excluding cancelled ones
 * @param proofs the person's accepted sick notes and shift certificates
 */
export function countRecordedAttendance(
  lessons: readonly Pick<Lesson, 'id' | 'heldAt' | 'endsAt' | 'isExcluded'>[],
  recorded: Booking['presence'],
  span: SeatSpan & { now: string },
  { region, proofs }: { region: string; proofs: readonly AttendanceProof[] },
): AttendanceCount {
  const presence = new Map(recorded.map(({ lessonId, isPresent }) => [lessonId, isPresent]))
  const check = createAttendanceProofCheck(region, proofs)
  return countAttendance(
    lessons
      .filter(({ isExcluded }) => isExcluded !== true)
      .map(({ id, heldAt, endsAt }) => ({ heldAt, endsAt, isPresent: presence.get(id) ?? null, ...check(heldAt) })),
    span,
  )
}

/** The person's attendance statistics; null without a booking. */
export function viewerAttendanceOf(view: CourseView): AttendanceCount | null {
  const booking = viewerBookingOf(view)
  const { facts, time } = view
  const now = time.wallClock
  const { region } = facts
  const proofs = view.viewer?.proofs ?? []
  const span = { placeSince: booking?.placeSince ?? now, now }
  return booking && countRecordedAttendance(facts.lessons, booking.presence, span, { region, proofs })
}

/** Whether regular attendance waives this person's fee and the person has attended regularly. */
function isWaived(view: CourseView): boolean {
  const attendance = viewerAttendanceOf(view)
  if (attendance === null || viewerBookingOf(view)?.state !== BOOKING_STATUS.Booked) return false
  return hasRegularAttendance(attendance, view.counters.isParticipatingComplete)
}

/**
 * Amount due: the price agreed when booking, or the current price without a booking; null for a visitor. See
 * docs/decisions/0027.
 */
export function priceOf(view: CourseView): Price | null {
  const { facts, viewer } = view
  if (viewer === null) return null
  const { freeWithAttendance: isWaiverOffered } = facts.course
  const offered = { fee: bookingFeeOf(view), isWaiverOffered, employeeStatus: viewer.employeeStatus }
  const { fee, employeeStatus, ...agreed } = viewerBookingOf(view) ?? offered
  const freeWithAttendance = canWaiveFee(agreed.isWaiverOffered, employeeStatus, fee.rule)
  const waived = freeWithAttendance && isWaived(view)
  const amountCents = (waived ? 0 : fee.cents) + fee.energyCents
  return {
    amount: amountCents / 100,
    fee: fee.cents / 100,
    energyFee: fee.energyCents / 100,
    kind: amountCents === 0 ? 'free' : fee.rule,
    freeWithAttendance,
    waived,
    priceOnceVerified: fee.onceVerifiedCents === null ? null : (fee.onceVerifiedCents + fee.energyCents) / 100,
  }
}

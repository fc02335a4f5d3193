import { isDeepStrictEqual } from 'node:util'
import { BOOKING_STATUS, type CalendarDay, type ClockTime, type DateTimeValue } from '#contract/values.ts'
import type { Booking, CourseFacts } from '#server/features/courses/rules.ts'
import { canWaiveFee } from '#server/features/money/rules.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { BookingMail } from '#server/platform/outbox/mail-kinds.ts'
import { cancellationDeadlineOf, firstLessonAfter, firstLessonDay } from './pricing-rules.ts'

/**
 * Maximum number of bookings and cancellations per person and course within an hour. Once it is reached, the person can
 * still cancel but not book again. This limits the number of e-mails that one person can cause.
 */
export const MAX_BOOKING_CHANGES = 10

/** First lesson of a participant who got the seat at `since` ('YYYY-MM-DD HH:MM:SS'); null if no lesson follows. */
export function firstLessonOf({ lessons }: CourseFacts, since: string): DateTimeValue | null {
  const lesson = firstLessonAfter(lessons, since)
  return lesson && toDateTimeValue(lesson.heldAt)
}

const NO_MEETING = { meetingURL: '', meetingID: '', meetingCode: '' }

/** Fields, other than the position, in which the waiting-list e-mail differs from the booking e-mail. */
export const WAITING_LIST_MAIL_FIELDS = { state: BOOKING_STATUS.Waitinglist, cancelUntil: null, ...NO_MEETING }

const clockOf = ({ hour, minute }: DateTimeValue): ClockTime => ({ hour, minute })
const dayOf = ({ year, month, day }: DateTimeValue): CalendarDay => ({ year, month, day })

/** @param deadline 'YYYY-MM-DD HH:MM:SS' */
export const toDeadline = (deadline: string): CalendarDay & ClockTime => {
  const at = toDateTimeValue(deadline)
  return { ...dayOf(at), ...clockOf(at) }
}

/** Place of the lesson at this time, if that is not the place of the course. */
function placeOf({ changes }: CourseFacts, at: DateTimeValue): { place?: string } {
  const own = changes.find(({ change }) => change.kind === 'room' && isDeepStrictEqual(change.at, at))?.change.to
  return typeof own === 'string' ? { place: own } : {}
}

/**
 * Data of an e-mail about a booking.
 * @param booking if `firstLessonOn` is missing, the e-mail states no cancellation deadline
 * @param wallClock current time 'YYYY-MM-DD HH:MM:SS'; a past deadline is omitted
 */
export function toBookingMail(
  facts: CourseFacts,
  booking: Pick<Booking, 'fee' | 'state' | 'position' | 'firstLessonOn' | 'employeeStatus'>,
  wallClock: string,
): BookingMail {
  const { course, lessons } = facts
  const { fee, state, position, firstLessonOn, employeeStatus } = booking
  const next = firstLessonOf(facts, wallClock)
  return {
    courseId: course.id,
    number: course.number,
    name: course.name,
    name2: course.name2,
    instructor: course.instructor,
    venue: course.venue,
    city: course.city,
    location: course.location,
    location2: course.location2,
    day: course.day,
    weekdays: course.weekdays,
    startTime: clockOf(course.startTime),
    endTime: clockOf(course.endTime),
    start: dayOf(course.start),
    end: dayOf(course.end),
    next: next && { ...dayOf(next), ...clockOf(next), ...placeOf(facts, next) },
    lessons: { left: lessons.filter(({ heldAt }) => heldAt > wallClock).length, all: lessons.length },
    priceCents: fee.cents,
    priceRule: fee.rule,
    priceCentsOnceVerified: fee.onceVerifiedCents,
    energyFeeCents: fee.energyCents,
    freeWithAttendance: canWaiveFee(course.freeWithAttendance, employeeStatus, fee.rule),
    cancelUntil: firstLessonOn === null ? null : toDeadline(cancellationDeadlineOf(facts, firstLessonOn)),
    state,
    position,
    ...(state === BOOKING_STATUS.Booked ? facts.meeting : NO_MEETING),
  }
}

/** E-mail data most recently created for each course, with the values they were created from. */
const placeMails = new WeakMap<CourseFacts, { key: string; json: string }>()

/**
 * Data of the e-mail that confirms a seat booked at the current time, as JSON. They are cached, because most e-mails
 * for a course are identical when booking opens.
 */
export function toSeatMailJson(
  facts: CourseFacts,
  { fee, employeeStatus }: Pick<Booking, 'fee' | 'employeeStatus'>,
  wallClock: string,
): string {
  const key = `${wallClock} ${fee.cents} ${fee.rule} ${fee.energyCents} ${fee.onceVerifiedCents} ${employeeStatus}`
  const known = placeMails.get(facts)
  if (known?.key === key) return known.json
  const firstLessonOn = firstLessonDay(facts, wallClock)
  const place = { fee, employeeStatus, state: BOOKING_STATUS.Booked, position: 0, firstLessonOn }
  const json = JSON.stringify(toBookingMail(facts, place, wallClock))
  placeMails.set(facts, { key, json })
  return json
}

import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import type { Booking, CourseFacts } from '#server/features/courses/service.ts'
import type { BookingMail } from '#server/mail/kinds.ts'

/** A course's first lesson with its time. */
export const firstLessonOf = ({ course }: CourseFacts): DateTimeValue =>
  course.dates[0] ?? { ...course.start, hour: course.startTime.hour, minute: course.startTime.minute }

const NO_MEETING = { meetingURL: '', meetingID: '', meetingCode: '' }

/** What a mail about this booking tells. */
export function bookingMailOf(
  facts: CourseFacts,
  { priceCents, state, position }: { priceCents: number } & Pick<Booking, 'state' | 'position'>,
): BookingMail {
  const { course } = facts
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
    bookingSelection: course.bookingSelection,
    startTime: course.startTime,
    endTime: course.endTime,
    start: course.start,
    end: course.end,
    priceCents,
    energyFeeCents: Math.round(course.energyFee * 100),
    cancelUntil: toDateTimeValue(facts.cancelUntil),
    state,
    position,
    ...(state === BOOKING_STATUS.Booked ? facts.meeting : NO_MEETING),
  }
}

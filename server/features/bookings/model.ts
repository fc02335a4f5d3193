import type { BookedCourse, Course, CourseState } from '#contract/endpoints/courses.ts'
import { type ApiResponseStatus, BOOKING_STATUS, type Language } from '#contract/values.ts'
import { formatDate, formatTime, textInLanguage } from '#contract/words.ts'
import { type CourseView, countPeople } from '#server/features/courses/rules.ts'
import { isRegularInstructor, teachesCourse, teachesLesson } from '#server/features/lessons/repository.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { canSeeMeetingLink, findBookingObstacle, findCancellationDeadline, isBookingCancellable } from './policy.ts'
import { priceOf, viewerAttendanceOf, viewerBookingOf } from './pricing-rules.ts'

/** Text stating why the person cannot book, with a hint or the department's note; '' if booking is possible. */
export function obstacleTextOf({ facts }: CourseView, obstacle: Course['obstacle'], language: Language): string {
  if (obstacle === '') return ''
  const { bookableFrom } = facts.course
  const values = { date: formatDate(bookableFrom), time: formatTime(bookableFrom) }
  const text = translate(language, `obstacles.${obstacle}`, values)
  const { note, note2 } = facts.cancellationNote
  return obstacle === 'cancelled' ? [text, textInLanguage(language, note, note2)].filter(Boolean).join(' ') : text
}

function presentPersonalSide(view: CourseView, language: Language): Omit<CourseState, 'id'> {
  const { facts, counters, viewer } = view
  const booking = viewerBookingOf(view)
  const { participants } = facts.course
  const obstacle = findBookingObstacle(view) ?? ''
  const isBookable = booking === null && obstacle === ''
  const isTeacher = viewer !== null && teachesCourse(facts, viewer.email)
  const deadline = findCancellationDeadline(view)
  const attendance = viewerAttendanceOf(view)
  return {
    bookingStatus: booking?.state ?? BOOKING_STATUS.NotBooked,
    waitingListPosition: booking?.position ?? 0,
    bookable: isBookable,
    directlyBookable: isBookable && counters.taken < participants,
    cancellabel: isBookingCancellable(view),
    cancelUntil: deadline === null ? null : toDateTimeValue(deadline),
    obstacle,
    obstacleText: obstacleTextOf(view, obstacle, language),
    price: priceOf(view),
    participation: isTeacher ? Math.min(counters.taken, participants) : (attendance?.present ?? 0),
    attendance,
  }
}

/** Number of bookings, recalculated because the person may have booked since the course was read. */
const countersOf = ({ counters, facts }: CourseView) => countPeople(facts, counters)

export const toCourseResponse = (view: CourseView, language: Language): Course => ({
  ...view.shown,
  ...countersOf(view),
  ...presentPersonalSide(view, language),
  ...(canSeeMeetingLink(view) && view.facts.meeting),
})

/** Course as its instructor sees it, with all lessons. A substitute sees only changes to the substituted lessons. */
export function toTaughtCourseResponse(view: CourseView, language: Language): Course {
  const { facts, viewer } = view
  const email = viewer?.email ?? ''
  const course = toCourseResponse(view, language)
  const own = facts.lessons.filter(lesson => teachesLesson(facts, lesson, email))
  const dates = own.map(({ heldAt }) => toDateTimeValue(heldAt))
  if (isRegularInstructor(facts, email)) return { ...course, dates }
  const moments = new Set(dates.map(date => JSON.stringify(date)))
  return { ...course, dates, changes: course.changes.filter(({ at }) => moments.has(JSON.stringify(at))) }
}

export const toCourseStateResponse = (view: CourseView, language: Language): CourseState => ({
  id: view.facts.course.id,
  ...presentPersonalSide(view, language),
})

/** Response to a booking or cancellation. */
export type BookingResponse = {
  view: CourseView
  language: Language
  status: ApiResponseStatus
  message: string
  /** failure code */
  code?: string
}

export const toBookingResponse = ({ view, language, ...outcome }: BookingResponse): BookedCourse => ({
  ...toCourseResponse(view, language),
  ...outcome,
})

import type { Course, CourseState } from '#contract/courses.ts'
import { BOOKING_STATUS, type DateTimeValue, type Language } from '#contract/values.ts'
import { formatDate, formatTime } from '#contract/words.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import type { CourseView } from '#server/features/courses/view-rules.ts'
import { translate } from '#server/texts/translate.ts'
import { findCancelDay, findObstacle, isCancellable, maySeeMeeting } from './policy.ts'
import { attendanceOf, bookingOf, priceOf } from './viewer-rules.ts'

/** Why the person cannot book, in words, with what helps; '' when nothing is in the way. */
export function obstacleTextOf({ facts }: CourseView, obstacle: Course['obstacle'], language: Language): string {
  if (obstacle === '') return ''
  const { bookableFrom } = facts.course
  const values = { date: formatDate(bookableFrom), time: formatTime(bookableFrom) }
  return translate(language, `obstacles.${obstacle}`, values)
}

/** @param day calendar date 'YYYY-MM-DD' */
export const endOfDay = (day: string): DateTimeValue => ({ ...toDateTimeValue(day), hour: 23, minute: 59, second: 59 })

function presentPersonalSide(view: CourseView, language: Language): Omit<CourseState, 'id'> {
  const { facts, counters, viewer } = view
  const booking = bookingOf(view)
  const { participants } = facts.course
  const obstacle = findObstacle(view) ?? ''
  const isBookable = booking === null && obstacle === ''
  const isTeacher = viewer !== null && facts.instructorEmails.includes(viewer.email)
  const cancelDay = findCancelDay(view)
  return {
    bookingStatus: booking?.state ?? BOOKING_STATUS.NotBooked,
    waitingListPosition: booking?.position ?? 0,
    bookable: isBookable,
    directlyBookable: isBookable && counters.taken < participants,
    cancellabel: isCancellable(view),
    cancelUntil: cancelDay === null ? null : endOfDay(cancelDay),
    obstacle,
    obstacleText: obstacleTextOf(view, obstacle, language),
    price: priceOf(view),
    participation: isTeacher ? Math.min(counters.taken, participants) : (booking?.presentLessons ?? 0),
    attendance: attendanceOf(view),
  }
}

export const presentCourse = (view: CourseView, language: Language): Course => ({
  ...view.shown,
  ...presentPersonalSide(view, language),
  ...(maySeeMeeting(view) && view.facts.meeting),
})

export const presentCourseState = (view: CourseView, language: Language): CourseState => ({
  id: view.facts.course.id,
  ...presentPersonalSide(view, language),
})

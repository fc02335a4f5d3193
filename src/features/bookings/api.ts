import { bookCourse, cancelCourse, listBookedCourses } from '#contract/bookings.ts'
import type { Course } from '#contract/courses.ts'
import { getDateTime } from '#contract/system.ts'
import { call } from '#lib/api-client.ts'

/** Long enough for a busy server; the question is repeated, so that a lost answer costs no more than this. */
const ANSWER_MS = 8000

export const fetchBookedCourses = (): Promise<Course[]> => call(listBookedCourses, {})
export const fetchServerTime = () => call(getDateTime, {})
export const sendBooking = (id: number): Promise<Course> =>
  call(bookCourse, { body: { id }, signal: AbortSignal.timeout(ANSWER_MS) })
export const sendCancellation = (id: number): Promise<Course> =>
  call(cancelCourse, { body: { id }, signal: AbortSignal.timeout(ANSWER_MS) })

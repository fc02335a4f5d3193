import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { course } from './endpoints/courses.ts'
import { failureCode, id } from './values.ts'

const simpleObject = v.object({ id })
/** The course after the user has booked it or cancelled the booking. */
const bookedCourse = v.object({ ...course.entries, code: failureCode })
export type BookedCourse = v.InferOutput<typeof bookedCourse>

/**
 * A course that the user has booked or waits for. A cancelled course remains in the list for `CANCELLED_COURSE_DAYS`
 * days or until the user has opened its page (GET /api/course/{id}). It then has `cancelled: true`, `bookingStatus: 0`
 * and the optional fields.
 */
const listedCourse = v.object({
  ...course.entries,
  /** the department's reason for the cancellation, in both languages; '' if none was given */
  note: v.optional(v.string()),
  note2: v.optional(v.string()),
  /** ids of up to `MOST_ALTERNATIVES` courses of the same category in which the user can book a seat now */
  alternatives: v.optional(v.array(id)),
})
export type ListedCourse = v.InferOutput<typeof listedCourse>
export const CANCELLED_COURSE_DAYS = 14
export const MOST_ALTERNATIVES = 3

export const listBookedCourses = endpoint('session', 'GET', '/api/course/booked', { response: v.array(listedCourse) })

export const bookCourse = endpoint('session', 'PUT', '/api/course/coursebooking', {
  body: simpleObject,
  response: bookedCourse,
})

export const cancelCourse = endpoint('session', 'PUT', '/api/course/coursecancel', {
  body: simpleObject,
  response: bookedCourse,
})

import * as v from 'valibot'
import { course } from './courses.ts'
import { endpoint } from './endpoint.ts'
import { failureCode, id } from './values.ts'

const simpleObject = v.object({ id })
/** The course after the user has booked it or cancelled the booking. */
const bookedCourse = v.object({ ...course.entries, code: failureCode })
export type BookedCourse = v.InferOutput<typeof bookedCourse>

export const listBookedCourses = endpoint('session', 'GET', '/api/course/booked', { response: v.array(course) })

export const bookCourse = endpoint('session', 'PUT', '/api/course/coursebooking', {
  body: simpleObject,
  response: bookedCourse,
})

export const cancelCourse = endpoint('session', 'PUT', '/api/course/coursecancel', {
  body: simpleObject,
  response: bookedCourse,
})

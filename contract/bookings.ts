import * as v from 'valibot'
import { course } from './courses.ts'
import { endpoint } from './endpoint.ts'
import { id } from './values.ts'

const simpleObject = v.object({ id })

export const listBookedCourses = endpoint('session', 'GET', '/api/course/booked', { response: v.array(course) })

export const bookCourse = endpoint('session', 'PUT', '/api/course/coursebooking', {
  body: simpleObject,
  response: course,
})

export const cancelCourse = endpoint('session', 'PUT', '/api/course/coursecancel', {
  body: simpleObject,
  response: course,
})

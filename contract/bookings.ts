import * as v from 'valibot'
import { course } from './courses.ts'
import { endpoint } from './endpoint.ts'
import { id } from './values.ts'

const simpleObject = v.object({ id })

export const listBookedCourses = endpoint('GET', '/api/course/booked', {
  access: 'session',
  summary: 'The courses in which the user has a place or waits for one',
  response: v.array(course),
})

export const bookCourse = endpoint('PUT', '/api/course/coursebooking', {
  access: 'session',
  summary: 'Books a place or a waiting-list spot. Booking twice changes nothing',
  body: simpleObject,
  response: course,
})

export const cancelCourse = endpoint('PUT', '/api/course/coursecancel', {
  access: 'session',
  summary: 'Cancels a place or a waiting-list spot. Cancelling twice changes nothing',
  body: simpleObject,
  response: course,
})

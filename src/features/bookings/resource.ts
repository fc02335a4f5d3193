import type { Course } from '#contract/courses.ts'
import { completeCourse } from '#features/courses/model.ts'
import { listResource } from '#lib/resource.ts'
import { listBookedCourses } from './api.ts'

/** The user's bookings and waiting-list entries, with complete courses. */
export const useBookedCourses = listResource<Course>({
  of: 'person',
  key: 'booked-courses',
  fetch: listBookedCourses,
  complete: courses => courses.map(completeCourse),
})

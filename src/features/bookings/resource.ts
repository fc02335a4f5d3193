import type { Course } from '#contract/endpoints/courses.ts'
import { withCourseDefaults } from '#features/courses/model.ts'
import { api } from '#lib/api.ts'
import { createListResource } from '#lib/resource.ts'

/** The user's bookings and waiting-list entries, each with its complete course. */
export const useBookedCourses = createListResource<Course>({
  of: 'person',
  key: 'booked-courses',
  fetch: async options => (await api.listBookedCourses(options)).filter(({ cancelled }) => !cancelled),
  complete: courses => courses.map(withCourseDefaults),
})

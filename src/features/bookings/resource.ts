import type { Course } from '#contract/courses.ts'
import { completeCourse } from '#features/courses/model.ts'
import { resource } from '#lib/resource.ts'
import { listBookedCourses } from './api.ts'

/** The person's courses, whole: places and waiting-list spots. */
export const useBookedCourses = resource<readonly Course[]>({
  of: 'person',
  key: 'booked-courses',
  empty: [],
  fetch: listBookedCourses,
  complete: courses => courses.map(completeCourse),
  isUsable: courses => courses.every(({ id }) => Number.isInteger(id)),
})

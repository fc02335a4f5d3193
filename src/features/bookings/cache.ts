import type { Course } from '#contract/courses.ts'
import { keptValue } from '#lib/kept-value.ts'

/** One person's booked courses as of `fetchedAt`; gone at logout. */
export const bookedCache = keptValue<{ userName: string; courses: Course[]; fetchedAt: number }>(
  'booked-courses',
  ({ userName, courses, fetchedAt }) =>
    typeof userName === 'string' && Number.isFinite(fetchedAt) && courses.every(({ id }) => Number.isInteger(id)),
)

import type { Course } from '#contract/courses.ts'
import { storedValue } from '#lib/stored-value.ts'

/** One person's booked courses as of `fetchedAt`; gone at logout. */
export const bookedCache = storedValue<{ userName: string; courses: Course[]; fetchedAt: number }>(
  'booked-courses',
  ({ userName, courses, fetchedAt }) =>
    typeof userName === 'string' && Number.isFinite(fetchedAt) && courses.every(({ id }) => Number.isInteger(id)),
)

import { decodeCourseIndex, type IndexedCourse } from '#contract/course-index.ts'
import type { CourseIndex, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import { storedValue } from '#lib/stored-value.ts'

/** The programme as fetched at `fetchedAt` (ms since 1970, the device's clock). */
type StoredIndex = { index: CourseIndex; fetchedAt: number }

const isWhole = ({ id, name, start }: IndexedCourse) =>
  Number.isInteger(id) && typeof name === 'string' && Number.isInteger(start.year)
const haveIds = (items: { id: number }[]) => items.every(({ id }) => Number.isInteger(id))

export const indexCache = storedValue<StoredIndex>(
  'course-index',
  ({ index, fetchedAt }) => Number.isFinite(fetchedAt) && decodeCourseIndex(index).every(isWhole),
)
export const textsCache = storedValue<CourseTexts[]>('course-texts', haveIds)
export const seasonsCache = storedValue<Season[]>('seasons', haveIds)
/** One person's side of the courses; gone at logout. */
export const statesCache = storedValue<{ userName: string; states: CourseState[] }>(
  'course-states',
  ({ userName, states }) => typeof userName === 'string' && haveIds(states),
)

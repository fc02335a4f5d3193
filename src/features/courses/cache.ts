import { decodeCourseIndex, type IndexedCourse } from '#contract/course-index.ts'
import type { CourseIndex, CourseState, CourseTexts, Season } from '#contract/courses.ts'
import { indexedDbStorage } from '#lib/storage.ts'

/** Grows when a stored shape changes: what an older app has stored is dropped and fetched again. */
const VERSION = 1

/**
 * Keeps one part of the programme under its own key: a booking does not rewrite the texts.
 * @param isUsable looks into what was read; false or an exception drops it
 */
function keep<Value>(key: string, isUsable: (value: Value) => boolean) {
  const storage = indexedDbStorage<Value>()
  return {
    read: async (): Promise<Value | null> => {
      const stored = await storage.getItem(key)
      try {
        if (stored?.version === VERSION && isUsable(stored.state)) return stored.state
      } catch {
        // Damaged: as if nothing were stored.
      }
      return null
    },
    write: (value: Value) => storage.setItem(key, { state: value, version: VERSION }),
    remove: () => storage.removeItem(key),
  }
}

/** The programme as fetched at `fetchedAt` (ms since 1970, the device's clock). */
type StoredIndex = { index: CourseIndex; fetchedAt: number }

export const indexCache = keep<StoredIndex>(
  'course-index',
  ({ index, fetchedAt }) => Number.isFinite(fetchedAt) && decodeCourseIndex(index).every(isWhole),
)
export const textsCache = keep<CourseTexts[]>('course-texts', texts => texts.every(({ id }) => Number.isInteger(id)))
export const seasonsCache = keep<Season[]>('seasons', seasons => seasons.every(({ id }) => Number.isInteger(id)))
/** One person's side of the courses; gone at logout. */
export const statesCache = keep<{ userName: string; states: CourseState[] }>(
  'course-states',
  ({ userName, states }) => typeof userName === 'string' && states.every(({ id }) => Number.isInteger(id)),
)

const isWhole = ({ id, name, start }: IndexedCourse) =>
  Number.isInteger(id) && typeof name === 'string' && Number.isInteger(start.year)

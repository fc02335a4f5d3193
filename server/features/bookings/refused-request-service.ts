import type { ServerContext } from '#server/platform/runtime/context.ts'
import { insertRefusedRequests } from './repository.ts'

const FLUSH_MS = 1_000

/**
 * Counts booking requests that are refused because the course is full, by course and second and without names. The
 * counts are written once a second, so that a burst of refusals costs one statement; a process that is killed loses those
 * of the last second.
 * @returns function that counts one refused request
 */
export function createRefusalCounter({ db, log }: Pick<ServerContext, 'db' | 'log'>): (courseId: number) => void {
  let counts = new Map<number, number>()
  const flush = () => {
    const refused = counts
    counts = new Map()
    insertRefusedRequests(db, refused, FLUSH_MS).catch((error: unknown) =>
      log.warn({ err: error, courses: refused.size }, 'refused booking requests were not counted'),
    )
  }
  return courseId => {
    if (counts.size === 0) setTimeout(flush, FLUSH_MS).unref()
    counts.set(courseId, (counts.get(courseId) ?? 0) + 1)
  }
}

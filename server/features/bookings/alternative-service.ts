import { MOST_ALTERNATIVES } from '#contract/endpoints/courses.ts'
import { listCourseFacts, toCourseCounters } from '#server/features/courses/repository.ts'
import { type CourseFacts, courseStateAtTime } from '#server/features/courses/rules.ts'
import { listCountersWithViewers } from '#server/features/courses/view-repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { findBookingObstacle } from './policy.ts'
import { viewerBookingOf } from './pricing-rules.ts'
import { listAlternativeCandidates } from './repository.ts'

/**
 * Courses of the same category in which each of these people can book a seat now, earliest first.
 * @param region region whose public holidays are considered
 */
export async function listAlternatives(
  db: Queryable,
  region: string,
  courseId: number,
  webUserIds: readonly number[],
): Promise<Map<number, CourseFacts[]>> {
  const alternatives = new Map(webUserIds.map((id): [number, CourseFacts[]] => [id, []]))
  if (webUserIds.length === 0) return alternatives
  for (const candidateId of await listAlternativeCandidates(db, courseId)) {
    const open = [...alternatives].filter(([, found]) => found.length < MOST_ALTERNATIVES)
    if (open.length === 0) break
    const [facts] = await listCourseFacts(db, region, candidateId)
    if (!facts) continue
    const requests = open.map(([webUserId]) => ({ courseId: candidateId, webUserId }))
    const counted = await listCountersWithViewers(db, requests)
    for (const [index, { counters, viewer, time }] of counted.entries()) {
      const [row] = counters
      if (!row || !viewer) continue
      const view = { ...courseStateAtTime(facts, toCourseCounters(row), time), viewer }
      const isFree = view.counters.taken < facts.course.participants
      if (isFree && viewerBookingOf(view) === null && findBookingObstacle(view) === null) open[index]?.[1].push(facts)
    }
  }
  return alternatives
}

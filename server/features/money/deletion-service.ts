import type { Queryable } from '#server/db/client.ts'
import { findServerTime } from '#server/db/date-time.ts'
import { listUnsettledCourses } from './deletion-repository.ts'
import { listCoursesToSettle } from './settlement-repository.ts'
import { calculateLines, writeDifferences } from './settlement-service.ts'

/**
 * Writes what a person owes for courses that are not settled yet, as attendance and proofs are now: afterwards nothing leads from
 * the attendance to the person. To be called before the account is erased.
 */
export async function chargeBeforeDeletion(tx: Queryable, webUserId: number, region: string): Promise<void> {
  const now = await findServerTime(tx)
  for (const course of await listCoursesToSettle(tx, await listUnsettledCourses(tx, webUserId))) {
    const lines = calculateLines(course, region, now).filter(line => line.webUserId === webUserId)
    await writeDifferences(tx, course.courseId, lines, { settlementId: null, madeBy: null })
  }
}

import type { BookingOrder, OwnRequest } from '#contract/endpoints/booking-order.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import * as repository from './booking-order-repository.ts'
import { digestOf, merklePath, merkleRoot } from './booking-order-rules.ts'

const toBuffers = (hashes: readonly string[]) => hashes.map(hash => Buffer.from(hash, 'hex'))

/**
 * Publishes the order of all requests for the courses of a season. Later requests are not part of it.
 * @returns null if there was no request
 */
export async function publishOrder(
  tx: Queryable,
  seasonId: number,
): Promise<{ digest: string; requests: number } | null> {
  const courses = (await repository.insertLeaves(tx, seasonId)).map(({ courseId, hashes }) => ({
    courseId,
    requests: hashes.length,
    root: merkleRoot(toBuffers(hashes)),
  }))
  if (courses.length === 0) return null
  await repository.insertOrders(
    tx,
    seasonId,
    new Map(courses.map(({ courseId, root }) => [courseId, root.toString('hex')])),
  )
  return {
    digest: digestOf(courses.map(({ root }) => root)),
    requests: courses.reduce((sum, { requests }) => sum + requests, 0),
  }
}

/** The published order of a season, without names; null if it is not published. */
export async function findOrder(db: Queryable, seasonId: number): Promise<BookingOrder | null> {
  const publication = await repository.findPublication(db, seasonId)
  if (publication === null) return null
  const courses = await repository.listPublishedCourses(db, seasonId)
  const seconds = await repository.listCountedSeconds(db, seasonId)
  return { seasonId, ...publication, digest: digestOf(toBuffers(courses.map(({ root }) => root))), courses, seconds }
}

/** A person’s request in the order of a course, with its proof if the order is published; null without a booking. */
export async function findOwnRequest(db: Queryable, courseId: number, webUserId: number): Promise<OwnRequest | null> {
  const found = await repository.findRequest(db, courseId, webUserId)
  if (found === null) return null
  const { leaf, ...request } = found
  if (leaf === null) return { ...request, proof: null }
  const path = merklePath(toBuffers(leaf.hashes), leaf.number - 1).map(hash => hash.toString('hex'))
  return { ...request, proof: { seasonId: leaf.seasonId, leaf: leaf.text, path } }
}

/** Lines `course id, number, hash of the leaf`, separated by spaces, from which everyone can recompute the roots. */
export const listHashLines = async (db: Queryable, seasonId: number): Promise<string[]> =>
  (await repository.listLeafHashes(db, seasonId)).map(({ courseId, number, hash }) => `${courseId} ${number} ${hash}`)

/** @returns findings about published orders that differ from the stored hashes, bookings or audit log */
export async function listChangedOrders(db: Queryable): Promise<string[]> {
  const changed = await repository.listChangedLeaves(db)
  for (const { course, root, hashes } of await repository.listOrderedHashes(db)) {
    if (merkleRoot(toBuffers(hashes)).toString('hex') !== root)
      changed.push(`course ${course}: the order is not the one that was published`)
  }
  for (const { season, digest, roots } of await repository.listRecordedDigests(db)) {
    if (digestOf(toBuffers(roots)) !== digest)
      changed.push(`season ${season}: the order is not the one in the audit log`)
  }
  return changed
}

import type { MergeLinks } from '#server/features/accounts/token-service.ts'
import { findPersonCourseView } from '#server/features/bookings/office-booking-service.ts'
import { viewerBookingOf } from '#server/features/bookings/pricing-rules.ts'
import { toBookingMail } from '#server/features/bookings/rules.ts'
import { promoteOrCloseWaitingList } from '#server/features/bookings/waiting-list-service.ts'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import { type EndedBooking, lockCoursesOfMerge, reopenEndedBooking } from './merge-booking-repository.ts'
import * as merge from './merge-repository.ts'

/**
 * Records that the owner of one of the two addresses confirms that both accounts belong to one person. Once both have,
 * documents, certificates, proofs, consents and the company login follow, and the merge is final.
 */
async function agree(tx: Queryable, mergeId: number, webUserId: number): Promise<boolean> {
  const found = await merge.lockMerge(tx, mergeId)
  if (found === null) return false
  if (!(await merge.updateMergeAgreed(tx, found, webUserId))) return true
  await merge.reassignOwnData(tx, found.fromId, found.intoId)
  await merge.deleteMergedPerson(tx, found.fromId)
  await refreshCertificatesAndNotify(tx, { webUserId: found.intoId })
  return true
}

/**
 * Reopens the bookings that a merge ended because both people had one in the course. People whose seat was given away
 * meanwhile are on the waiting list, at their former position, and get an e-mail.
 */
async function reopenEndedBookings(tx: Queryable, ended: readonly EndedBooking[], region: string) {
  for (const booking of ended) {
    const { courseId } = booking
    const reopened = await reopenEndedBooking(tx, booking)
    if (reopened === null) continue
    const view = reopened.isSeatLost ? await findPersonCourseView(tx, region, courseId, reopened.webUserId) : null
    const waiting = view && viewerBookingOf(view)
    if (waiting) {
      const payload = toBookingMail(view.facts, waiting, view.time.wallClock)
      await insertMail(tx, { webUserId: reopened.webUserId, kind: 'waiting-list', payload })
    }
    await promoteOrCloseWaitingList(tx, courseId, region)
  }
}

/**
 * Separates two merged accounts: the closed one opens again with its address and ways in, and gets back what was
 * reassigned. Sessions of the other one end, because its owner may have seen what was not theirs.
 */
async function separate(tx: Queryable, mergeId: number, region: string): Promise<boolean> {
  // Locks courses before people, in the same order as a booking, to prevent deadlocks.
  await lockCoursesOfMerge(tx, mergeId)
  const found = await merge.lockMerge(tx, mergeId)
  if (found === null) return false
  const heirs = await merge.listHeirs(tx, found)
  const heirId = heirs.at(-1) ?? found.intoId
  await merge.returnMovedRows(tx, found, heirs)
  await merge.separateAttendance(tx, found.fromId, heirId)
  await merge.reopenMergedPerson(tx, found)
  await reopenEndedBookings(tx, found.moved.ended ?? [], region)
  await deleteSessions(tx, heirId)
  await refreshCertificatesAndNotify(tx, { webUserId: found.fromId })
  await refreshCertificatesAndNotify(tx, { webUserId: heirId })
  return true
}

/**
 * Answers to the link that both addresses of two merged accounts get.
 * @param region region whose public holidays are considered
 */
export const createMergeLinks = (region: string): MergeLinks => ({
  agree,
  separate: (tx, mergeId) => separate(tx, mergeId, region),
})

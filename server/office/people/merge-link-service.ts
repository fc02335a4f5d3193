import type { MergeLinks } from '#server/features/accounts/token-service.ts'
import { refreshCertificatesAndNotify } from '#server/features/certificates/service.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
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
 * Separates two merged accounts: the closed one opens again with its address and ways in, and gets back what was
 * reassigned. Sessions of the other one end, because its owner may have seen what was not theirs.
 */
async function separate(tx: Queryable, mergeId: number): Promise<boolean> {
  const found = await merge.lockMerge(tx, mergeId)
  if (found === null) return false
  await merge.returnMovedRows(tx, found)
  await merge.separateAttendance(tx, found.fromId, found.intoId)
  await merge.reopenMergedPerson(tx, found)
  await deleteSessions(tx, found.intoId)
  await refreshCertificatesAndNotify(tx, { webUserId: found.fromId })
  await refreshCertificatesAndNotify(tx, { webUserId: found.intoId })
  return true
}

/** Answers to the link that both addresses of two merged accounts get. */
export const mergeLinks: MergeLinks = { agree, separate }

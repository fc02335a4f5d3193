import type { PresenceRequest } from '#contract/attendance.ts'
import { createBatcher } from '#server/db/batch.ts'
import type { Database } from '#server/db/client.ts'
import { createKeyedSemaphores } from '#server/db/semaphore.ts'
import { codeOf } from '#server/db/unavailable.ts'
import type { SessionUser } from '#server/http/mount.ts'
import { forbidden, notFound } from '#server/http/problems.ts'
import { lockCourseOfLesson } from './repository.ts'
import type { DecidedChange, StoredPresenceMark } from './rules.ts'
import { findPresence, insertChanges, type MetChange, type NewChange } from './tick-repository.ts'

type ChangeOutcome =
  | { verdict: Exclude<DecidedChange, 'notAParticipant'> }
  | { verdict: 'overtaken'; standing: StoredPresenceMark }

/** A constraint violation or lock conflict of one change rolls the whole batch back. */
const isOneToBlame = (error: unknown) => /^(?:23|40)/.test(codeOf(error))

/**
 * Concurrent attendance changes share a statement; those that conflict with another transaction are retried
 * individually. See docs/decisions/0003.
 */
export function createTicks(db: Database) {
  const lanes = createKeyedSemaphores()

  const insertAll = (changes: NewChange[]) =>
    insertChanges(db, changes).catch(error => {
      if (isOneToBlame(error)) return changes.map(() => 'left' as const)
      throw error
    })
  const insertWithOthers = createBatcher(insertAll, ({ courseDateId, webUserId }) => `${courseDateId} ${webUserId}`)
  const insertAlone = (change: NewChange) =>
    db.transaction(async tx => {
      if ((await lockCourseOfLesson(tx, change.courseDateId)) === null) return null
      const [met = null] = await insertChanges(tx, [change])
      if (met === 'left') throw new Error('the course has changed under its lock')
      return met
    })
  const insert = async (change: NewChange): Promise<MetChange | null> => {
    const met = await insertWithOthers(change)
    return met === 'left' ? lanes.run(change.courseDateId, () => insertAlone(change)) : met
  }

  /**
   * Records one person as present or absent on one date, or withdraws that, unless a later change exists.
   * @throws HttpProblem 404 for an unknown date or a person who never booked the course, 403 for another instructor's
   * course
   */
  return async (user: SessionUser, sent: PresenceRequest): Promise<ChangeOutcome> => {
    const { courseDateId, webUserId, changeId = null } = sent
    const isWithdrawn = sent.changeState === 'deleted' && sent.isRecorded === false
    const isPresent = isWithdrawn ? null : sent.changeState === 'added'
    const changedAt = sent.changedAt === undefined ? null : new Date(sent.changedAt)
    const person = { recordedBy: user.id, email: user.email }
    const met = await insert({ changeId, courseDateId, webUserId, isPresent, changedAt, ...person })
    if (met === null) throw notFound()
    const { verdict } = met
    if (verdict === 'notTaught') throw forbidden()
    if (verdict === 'notAParticipant') throw notFound()
    if (verdict !== 'recorded' && verdict !== 'known') return { verdict }
    if (met.isWritten) return { verdict }
    const standing = await findPresence(db, courseDateId, webUserId)
    return standing && standing.isPresent !== isPresent ? { verdict: 'overtaken', standing } : { verdict }
  }
}

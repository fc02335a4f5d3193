import { unlinkLedgerAccountsOfPerson } from '#server/features/money/ledger-repository.ts'
import { settleCoursesOfPerson } from '#server/features/money/settlement-service.ts'
import {
  findAccount,
  listRemainingOwners,
  lockAccount,
  lockRights,
} from '#server/features/session/account-repository.ts'
import { confirmPassword } from '#server/features/session/login-service.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { sessionInvalid } from '#server/platform/http/problems.ts'
import { insertMail } from '#server/platform/outbox/outbox.ts'
import {
  deleteAccountRow,
  deleteInstructorProfile,
  deleteMailsAndThrottleEvents,
  findRetainedData,
  insertDeletedAccount,
  insertRetainedBillingRecords,
  listCurrentBookedCourses,
  listCurrentTaughtCourses,
  type NamedCourse,
  type RetainedData,
  reassignToAnonymousAccount,
} from './deletion-repository.ts'

export type DeletionOutcome =
  | { status: 'Ok'; remains: RetainedData }
  | { status: 'WrongPWorUser' }
  | { status: 'TooManyFailures'; waitS: number }
  | { status: 'Failed'; reason: 'openCourses' | 'taughtCourses' | 'lastOwner'; courses: NamedCourse[] }

/**
 * Deletes an account after password confirmation, unless the person attends or teaches a current course. See
 * docs/decisions/0009.
 * @throws HttpProblem 401 if the account was deleted concurrently
 */
export async function deleteAccount(
  db: Database,
  user: SessionUser,
  { password, region }: { password: string; region: string },
): Promise<DeletionOutcome> {
  const passwordHash = (await findAccount(db, user.email))?.passwordHash ?? null
  const proof = await confirmPassword(db, { user, passwordHash, password })
  if (proof.status === 'TooManyFailures') return proof
  if (proof.status === 'WrongPWorUser') return { status: proof.status }
  return db.transaction(async tx => {
    if (user.rights.includes('owner')) {
      // Locks the table of rights before the account's row, in the same order as office actions do, to avoid deadlocks.
      await lockRights(tx)
      const { ids } = await listRemainingOwners(tx)
      if (ids.length === 1 && ids[0] === user.id) return { status: 'Failed', reason: 'lastOwner', courses: [] }
    }
    // A concurrent booking holds this lock until it commits, so the query below finds it. A later one finds no account.
    const account = await lockAccount(tx, user.id)
    if (account === null) throw sessionInvalid()
    const courses = await listCurrentBookedCourses(tx, user.id)
    if (courses.length > 0) return { status: 'Failed', reason: 'openCourses', courses }
    const taught = await listCurrentTaughtCourses(tx, account.email)
    if (taught.length > 0) return { status: 'Failed', reason: 'taughtCourses', courses: taught }
    await settleCoursesOfPerson(tx, user.id, region)
    const remains = await findRetainedData(tx, user.id)
    await insertMail(tx, {
      webUserId: user.id,
      kind: 'account-deleted',
      payload: { isBillingKept: remains.billing !== null },
    })
    await eraseAccount(tx, { id: user.id, email: account.email }, remains)
    return { status: 'Ok', remains }
  })
}

/**
 * Deletes a locked account and its data, and adds it to the list of deleted accounts.
 * @param deletedAt time of the deletion that a restore repeats
 */
export async function eraseAccount(
  tx: Queryable,
  account: { id: number; email: string },
  remains: RetainedData,
  deletedAt: Date | null = null,
): Promise<void> {
  await deleteMailsAndThrottleEvents(tx, account.id, account.email)
  await deleteInstructorProfile(tx, account.email)
  if (remains.billing !== null) await insertRetainedBillingRecords(tx, account.id)
  await unlinkLedgerAccountsOfPerson(tx, account.id)
  if (remains.participation !== null) await reassignToAnonymousAccount(tx, account.id)
  await insertDeletedAccount(tx, account.id, deletedAt)
  await deleteAccountRow(tx, account.id)
}

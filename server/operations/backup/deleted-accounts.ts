import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DeletedAccount,
  findRetainedData,
  listDeletedAccounts,
} from '#server/features/accounts/deletion-repository.ts'
import { eraseAccount } from '#server/features/accounts/deletion-service.ts'
import { cancelBookingForPerson, findPersonCourseView } from '#server/features/bookings/office-booking-service.ts'
import { listCurrentBookedCourseIds, lockCourse } from '#server/features/bookings/repository.ts'
import { settleCoursesOfPerson } from '#server/features/money/settlement-service.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { type DataFile, writeDataFile } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'

const FILE: DataFile = 'deleted-accounts'

/**
 * Deleted accounts, keyed by account number and creation time, because in lists written by earlier versions one number
 * may refer to several people.
 */
type Deletions = Map<string, DeletedAccount>
const keyOf = ({ webUserId, createdAt }: DeletedAccount) => `${webUserId} ${createdAt?.toISOString() ?? ''}`

/**
 * Reads the list of deleted accounts: each line contains the account number, the deletion time and, since 2026-11-24,
 * the creation time.
 */
async function readDeletions(dataDir: string): Promise<Deletions> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(error => {
    // Only a missing file is treated as an empty list; an unreadable one must not be overwritten.
    if (errorFactsOf(error).code === 'ENOENT') return ''
    throw error
  })
  const deletions: Deletions = new Map()
  for (const [, id, deleted = '', created] of text.matchAll(/^(\d+) (\S+)(?: (\S+))?$/gm)) {
    const account = {
      webUserId: Number(id),
      deletedAt: new Date(deleted),
      createdAt: created === undefined ? null : new Date(created),
    }
    const isDate = [account.deletedAt, account.createdAt].every(date => date === null || !Number.isNaN(date.getTime()))
    if (isDate) deletions.set(keyOf(account), account)
  }
  return deletions
}

/** Copies the list of deleted accounts from the database to DATA_DIR. @returns number of added or updated entries */
export async function saveDeletedAccounts(db: Queryable, dataDir: string): Promise<number> {
  const [known, listed] = await Promise.all([readDeletions(dataDir), listDeletedAccounts(db)])
  const added = listed.filter(account => {
    const before = known.get(keyOf(account))
    return before === undefined || before.deletedAt < account.deletedAt
  })
  if (added.length === 0) return 0
  for (const account of added) known.set(keyOf(account), account)
  const lines = [...known.values()].map(({ webUserId, deletedAt, createdAt }) =>
    [webUserId, deletedAt.toISOString(), ...(createdAt ? [createdAt.toISOString()] : [])].join(' '),
  )
  await writeDataFile(dataDir, FILE, `${lines.join('\n')}\n`)
  return added.length
}

/** Highest account number in the list; 0 if the list is empty. */
export const findHighestDeletedAccountId = async (dataDir: string): Promise<number> =>
  Math.max(0, ...[...(await readDeletions(dataDir)).values()].map(({ webUserId }) => webUserId))

/**
 * Whether an account in the backup was deleted after the backup was taken. Matching by number and creation time is
 * exact. Entries written by earlier versions have no creation time and may refer to another person, so they count only
 * if the deletion is more recent than the backup.
 */
async function isDeletedSince(tx: Queryable, { webUserId, createdAt, deletedAt }: DeletedAccount, takenAt: Date) {
  if (createdAt === null) return deletedAt >= takenAt
  const found = await tx.maybeOne<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from web_users where id = ${webUserId}`)
  return found?.createdAt.getTime() === createdAt.getTime()
}

/**
 * Repeats the account deletions that happened after the backup was taken. Freed seats go to people on the waiting list.
 * See docs/decisions/0080.
 * @returns number of accounts
 */
export async function repeatAccountDeletions(
  tx: Queryable,
  dataDir: string,
  takenAt: Date,
  region: string,
): Promise<number> {
  let count = 0
  for (const deleted of (await readDeletions(dataDir)).values()) {
    const { webUserId: id } = deleted
    if (!(await isDeletedSince(tx, deleted, takenAt))) continue
    const account = await lockAccount(tx, id)
    if (account === null) continue
    // The person had left these courses, because a deletion requires it. Those that had ended are charged.
    for (const courseId of await listCurrentBookedCourseIds(tx, id, deleted.deletedAt)) {
      await lockCourse(tx, courseId)
      const view = await findPersonCourseView(tx, region, courseId, id)
      if (view !== null) await cancelBookingForPerson(tx, view)
    }
    // A deleted person must not receive any further e-mail.
    await tx.execute(sql`delete from mails where web_user_id = ${id}`)
    await settleCoursesOfPerson(tx, id, region)
    await eraseAccount(tx, { id, email: account.email }, await findRetainedData(tx, id), deleted.deletedAt)
    count += 1
  }
  return count
}

/**
 * Deletes all sessions and all links sent by e-mail, because some of them may have been revoked after the backup was
 * taken.
 */
export async function deleteSessionsAndLinks(tx: Queryable): Promise<void> {
  await tx.execute(sql`delete from sessions`)
  await tx.execute(sql`delete from account_tokens`)
  await tx.execute(sql`delete from passkey_challenges`)
  await tx.execute(sql`delete from company_logins`)
  await tx.execute(sql`update web_users set reset_password_hash = null, reset_expires_at = null`)
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataFile, writeDataFile } from '#server/data-files.ts'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import { factsOf } from '#server/error-facts.ts'
import { type DeletedAccount, findRemains, listDeletedAccounts } from '#server/features/accounts/deletion-repository.ts'
import { eraseAccount } from '#server/features/accounts/deletion-service.ts'
import { endBooking, findDeskView } from '#server/features/bookings/desk-service.ts'
import { listBookedCourseIds, lockCourse } from '#server/features/bookings/repository.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'

const FILE: DataFile = 'deleted-accounts'

/** By number and moment of creation: in lists of earlier versions one number may name several people. */
type Deletions = Map<string, DeletedAccount>
const keyOf = ({ webUserId, createdAt }: DeletedAccount) => `${webUserId} ${createdAt?.toISOString() ?? ''}`

/** Lines of a number, the moment of deletion, and since 2026-11-24 that of creation. */
async function readDeletions(dataDir: string): Promise<Deletions> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(error => {
    // Taken for empty, a file that cannot be read would be written over.
    if (factsOf(error).code === 'ENOENT') return ''
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

/** Stores beside the database whose account was deleted. @returns how many were added or deleted anew */
export async function keepDeletions(db: Database, dataDir: string): Promise<number> {
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

/** The highest number in the list; 0 when it is empty. */
export const findHighestDeleted = async (dataDir: string): Promise<number> =>
  Math.max(0, ...[...(await readDeletions(dataDir)).values()].map(({ webUserId }) => webUserId))

/**
 * Whether an account of the backup is one of the list. By number and moment of creation that is certain whenever the backup was
 * taken; a line of an earlier version may name another person, and counts only when it is younger than the backup.
 */
async function isDeletedSince(tx: Queryable, { webUserId, createdAt, deletedAt }: DeletedAccount, takenAt: Date) {
  if (createdAt === null) return deletedAt >= takenAt
  const found = await tx.maybeOne<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from web_users where id = ${webUserId}`)
  return found?.createdAt.getTime() === createdAt.getTime()
}

/** Deletes again who was deleted after the backup; their places go to whoever waits. See docs/decisions/0080. @returns how many */
export async function deleteAgain(tx: Queryable, dataDir: string, takenAt: Date, region: string): Promise<number> {
  let count = 0
  for (const deleted of (await readDeletions(dataDir)).values()) {
    const { webUserId: id } = deleted
    if (!(await isDeletedSince(tx, deleted, takenAt))) continue
    const account = await lockAccount(tx, id)
    if (account === null) continue
    for (const courseId of await listBookedCourseIds(tx, id)) {
      await lockCourse(tx, courseId)
      const view = await findDeskView(tx, region, courseId, id)
      if (view !== null) await endBooking(tx, view)
    }
    // Nobody writes to who is gone.
    await tx.execute(sql`delete from mails where web_user_id = ${id}`)
    await eraseAccount(tx, { id, email: account.email }, await findRemains(tx, id))
    count += 1
  }
  return count
}

/** Logins and links of then: some were ended since, and the backup does not know which. */
export async function endLogins(tx: Queryable): Promise<void> {
  await tx.execute(sql`delete from sessions`)
  await tx.execute(sql`delete from account_tokens`)
  await tx.execute(sql`delete from passkey_challenges`)
  await tx.execute(sql`delete from company_logins`)
  await tx.execute(sql`update web_users set reset_password_hash = null, reset_expires_at = null`)
}

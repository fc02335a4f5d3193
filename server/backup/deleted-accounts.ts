import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import { factsOf } from '#server/error-facts.ts'
import { findRemains, listDeletedAccounts } from '#server/features/accounts/deletion-repository.ts'
import { eraseAccount } from '#server/features/accounts/deletion-service.ts'
import { endBooking, findDeskView } from '#server/features/bookings/desk-service.ts'
import { listBookedCourseIds, lockCourse } from '#server/features/bookings/repository.ts'
import { lockAccount } from '#server/features/session/account-repository.ts'

const FILE = 'deleted-accounts'

/** Accounts by id with the moment of their deletion. */
type Deletions = Map<number, Date>

async function readDeletions(dataDir: string): Promise<Deletions> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(error => {
    // Taken for empty, a file that cannot be read would be written over.
    if (factsOf(error).code === 'ENOENT') return ''
    throw error
  })
  return new Map(
    [...text.matchAll(/^(\d+) (\S+)$/gm)].flatMap(([, id, at = '']) => {
      const date = new Date(at)
      return Number.isNaN(date.getTime()) ? [] : [[Number(id), date] as const]
    }),
  )
}

/** Keeps beside the database whose account was deleted. @returns how many were added */
export async function keepDeletions(db: Database, dataDir: string): Promise<number> {
  const [known, listed] = await Promise.all([readDeletions(dataDir), listDeletedAccounts(db)])
  const added = listed.filter(({ webUserId }) => !known.has(webUserId))
  if (added.length === 0) return 0
  for (const { webUserId, deletedAt } of added) known.set(webUserId, deletedAt)
  const lines = [...known].map(([id, at]) => `${id} ${at.toISOString()}\n`)
  const file = join(dataDir, FILE)
  await writeFile(`${file}.new`, lines.join(''), { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return added.length
}

/** Deletes again who was deleted after the backup; their places go to whoever waits. See docs/decisions/0080. @returns how many */
export async function deleteAgain(tx: Queryable, dataDir: string, takenAt: Date, region: string): Promise<number> {
  let count = 0
  for (const [id, at] of await readDeletions(dataDir)) {
    if (at < takenAt) continue
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

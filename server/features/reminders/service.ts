import { DEFAULT_LESSON_PLACES, DEFAULT_REMINDERS, type Reminders } from '#contract/endpoints/reminders.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import * as repository from './repository.ts'
import { canUnsubscribeFrom, createUnsubscribeToken, readUnsubscribeToken } from './rules.ts'

export const UNSUBSCRIBE_PATH = '/api/unsubscribe/'

/** URL that ends this kind of e-mail without a login; null for e-mails that people have not requested. */
export async function findUnsubscribeUrl(
  db: Queryable,
  publicUrl: string,
  { webUserId, kind }: { webUserId: number | null; kind: string },
): Promise<string | null> {
  if (webUserId === null || !canUnsubscribeFrom(kind)) return null
  const secret = await repository.findUnsubscribeSecret(db)
  return publicUrl + UNSUBSCRIBE_PATH + createUnsubscribeToken(secret, webUserId, kind)
}

/** Saves preferences. @returns false for a deleted account */
export const changeReminders = (db: Database, webUserId: number, reminders: Reminders): Promise<boolean> =>
  db.transaction(async tx => {
    if (!(await repository.lockReminders(tx, webUserId))) return false
    await repository.saveReminders(tx, webUserId, reminders)
    return true
  })

/**
 * Ends the e-mails that the token names, and leaves push notifications and other reminders as they are.
 * @returns false for an unknown token or a deleted account
 */
export async function unsubscribeFromMails(db: Database, token: string): Promise<boolean> {
  const named = readUnsubscribeToken(await repository.findUnsubscribeSecret(db), token)
  if (!named) return false
  const { webUserId, reminder } = named
  return db.transaction(async tx => {
    if (!(await repository.lockReminders(tx, webUserId))) return false
    const reminders = (await repository.findReminders(tx, webUserId)) ?? DEFAULT_REMINDERS
    const ended =
      reminder === 'officeReport'
        ? { weekly: false, monthly: false }
        : { ...(reminders[reminder] ?? DEFAULT_LESSON_PLACES), mail: false }
    await repository.saveReminders(tx, webUserId, { ...reminders, [reminder]: ended })
    return true
  })
}

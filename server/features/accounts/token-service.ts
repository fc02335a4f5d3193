import type { Database, Queryable } from '#server/db/client.ts'
import { hashToken } from '#server/http/token.ts'
import { withdrawMails } from '#server/mail/outbox.ts'
import { deleteClaims, isAddressHeld, lockAccount } from './repository.ts'
import { hasRight } from './state-rules.ts'
import { deleteNewEmailLinks, findLink, isEmailTaken, updateConfirmed, updateEmail } from './token-repository.ts'

export type LinkOutcome = 'activated' | 'emailChanged' | 'taken' | 'unknown'

/** Opens a mailed link. Opening it again, as people and mail programs do, gives the same answer until it expires. */
export async function openLink(db: Database, token: string): Promise<LinkOutcome> {
  const attempt = () => db.transaction(tx => useLink(tx, token))
  try {
    // Who registers a new address at the moment in which it is proved has proved nothing yet.
    return await attempt().catch(error => (isEmailTaken(error) ? attempt() : Promise.reject(error)))
  } catch (error) {
    if (isEmailTaken(error)) return 'taken'
    throw error
  }
}

async function useLink(tx: Queryable, token: string): Promise<LinkOutcome> {
  const link = await findLink(tx, hashToken(token))
  const account = link && (await lockAccount(tx, link.webUserId))
  if (!account) return 'unknown'
  const { id, email, state } = account
  if (link.purpose === 'activation') {
    await updateConfirmed(tx, id)
    return 'activated'
  }
  if (link.purpose !== 'new-email' || !hasRight(state, 'logIn')) return 'unknown'
  const newEmail = link.newEmail ?? ''
  if (await isAddressHeld(tx, newEmail, id)) return 'taken'
  await deleteClaims(tx, [newEmail])
  if (newEmail !== email && !(await updateEmail(tx, id, email, newEmail))) return 'taken'
  await withdrawMails(tx, id, ['new-email'], newEmail)
  await deleteNewEmailLinks(tx, id, newEmail)
  return 'emailChanged'
}

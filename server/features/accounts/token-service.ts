import type { DateTimeValue } from '#contract/values.ts'
import { type Account, lockAccount } from '#server/features/session/account-repository.ts'
import { isPermittedInAccountState, nextAccountState } from '#server/features/session/rules.ts'
import type { Database, Queryable } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { SECRET_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import { insertMail, withdrawMails } from '#server/platform/outbox/outbox.ts'
import { deleteUnverifiedAccounts } from './claim-repository.ts'
import { changeEmail } from './email-service.ts'
import { isEmailInUse } from './repository.ts'
import {
  deleteAllButOlderUndoLinks,
  deleteMailedLink,
  deleteRegistrationEvents,
  findMailedLink,
  findMailedLinkDetails,
  isEmailTakenError,
  type MailedLink,
  type MailedLinkPurpose,
  revokeAccountAccess,
  updateAccountActivated,
  updateEmail,
} from './token-repository.ts'

export type MailedLinkOutcome = 'activated' | 'emailChanged' | 'mergeConfirmed' | 'taken' | 'unknown'
/**
 * Answers to the link that both addresses of two merged accounts get: `agree` that both belong to one person, or
 * `separate` them. They return false if the merge is final or was separated.
 */
export type MergeLinks = {
  agree(tx: Queryable, mergeId: number, webUserId: number): Promise<boolean>
  separate(tx: Queryable, mergeId: number): Promise<boolean>
}
export type UndoLinkOutcome = 'restored' | 'separated' | 'refused' | 'locked' | 'unknown'

/**
 * Describes what a link sent by e-mail will do; null if it is invalid. Read-only, so that link prefetching has no
 * effect.
 */
export async function describeMailedLink(
  db: Database,
  token: string,
): Promise<{ purpose: Exclude<MailedLinkPurpose, 'passkey'>; initials: string; registeredAt: DateTimeValue } | null> {
  const facts = await findMailedLinkDetails(db, hashToken(token))
  if (facts === null) return null
  const initials = [facts.givenName, facts.familyName].flatMap(name => /\p{L}/u.exec(name)?.[0].toUpperCase() ?? [])
  return {
    purpose: facts.purpose,
    initials: initials.map(letter => `${letter}.`).join(' '),
    registeredAt: toDateTimeValue(facts.registeredAt),
  }
}

/**
 * Confirms a link sent by e-mail without opening a session. Idempotent: until the link expires, repeated requests get
 * the same response.
 */
export const confirmAccount = (db: Database, token: string, merges: MergeLinks): Promise<MailedLinkOutcome> =>
  whileAddressIsFree<MailedLinkOutcome>('taken', () => db.transaction(tx => useLink(tx, token, merges)))

/**
 * Handles the link "this was not me" in an e-mail. Cancels a registration or a pending change of the e-mail address.
 * After a security notice, restores the e-mail address that received the notice, ends all sessions and sends a new
 * password by e-mail. Single use.
 */
export const undoChange = (db: Database, token: string, merges: MergeLinks): Promise<UndoLinkOutcome> =>
  whileAddressIsFree<UndoLinkOutcome>('unknown', () => db.transaction(tx => useUndo(tx, token, merges)))

async function whileAddressIsFree<Outcome>(taken: Outcome, attempt: () => Promise<Outcome>): Promise<Outcome> {
  try {
    // Retries once after a unique violation: another request registered the e-mail address concurrently, and the second
    // attempt replaces that registration unless it has been verified.
    return await attempt().catch(error => (isEmailTakenError(error) ? attempt() : Promise.reject(error)))
  } catch (error) {
    if (isEmailTakenError(error)) return taken
    throw error
  }
}

async function useLink(tx: Queryable, token: string, merges: MergeLinks): Promise<MailedLinkOutcome> {
  const link = await findMailedLink(tx, hashToken(token))
  if (link?.purpose === 'merge')
    return (await merges.agree(tx, link.mergeId ?? 0, link.webUserId)) ? 'mergeConfirmed' : 'unknown'
  const account = link && (await lockAccount(tx, link.webUserId))
  if (!account) return 'unknown'
  const { id, email, state } = account
  if (link.purpose === 'activation') {
    await updateAccountActivated(tx, id)
    return 'activated'
  }
  if (link.purpose !== 'new-email' || !isPermittedInAccountState(state, 'logIn')) return 'unknown'
  const newEmail = link.newEmail ?? ''
  if (await isEmailInUse(tx, newEmail, id)) return 'taken'
  if (newEmail !== email && !(await changeEmail(tx, account, newEmail))) return 'taken'
  return 'emailChanged'
}

async function useUndo(tx: Queryable, token: string, merges: MergeLinks): Promise<UndoLinkOutcome> {
  const link = await findMailedLink(tx, hashToken(token))
  if (link?.purpose === 'merge') return (await merges.separate(tx, link.mergeId ?? 0)) ? 'separated' : 'unknown'
  const account = link && (await lockAccount(tx, link.webUserId))
  if (!account) return 'unknown'
  switch (link.purpose) {
    case 'activation':
      if (nextAccountState(account.state, 'refuse') === null) return 'unknown'
      await deleteUnverifiedAccounts(tx, [account.email])
      await deleteRegistrationEvents(tx, account.email)
      return 'refused'
    case 'new-email':
      await deleteMailedLink(tx, link.tokenHash)
      return 'refused'
    default:
      return nextAccountState(account.state, 'undo') === null ? 'unknown' : restore(tx, account, link)
  }
}

async function restore(tx: Queryable, { id, email }: Account, link: MailedLink): Promise<UndoLinkOutcome> {
  const address = link.newEmail ?? ''
  await withdrawMails(tx, id, SECRET_MAIL_KINDS, address)
  await deleteAllButOlderUndoLinks(tx, link)
  const isMoved = email !== address
  if (isMoved) await deleteUnverifiedAccounts(tx, [address])
  // If another account now has the e-mail address to be restored, for example because the department created one, the
  // person has two accounts. The compromised account, which cannot get its address back, is then locked.
  const isLocked = isMoved && !(await updateEmail(tx, id, email, address))
  await revokeAccountAccess(tx, id, { isLocked })
  if (isLocked) return 'locked'
  await insertMail(tx, { webUserId: id, kind: 'password-reset', payload: {} })
  return 'restored'
}

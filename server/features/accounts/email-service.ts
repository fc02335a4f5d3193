import type { Account } from '#server/features/session/account-repository.ts'
import { deleteDevices } from '#server/features/session/device-repository.ts'
import { deleteSessions } from '#server/features/session/repository.ts'
import type { Queryable } from '#server/platform/db/client.ts'
import { PASSWORD_MAIL_KINDS, SECURITY_NOTICE_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import { insertMail, withdrawMails } from '#server/platform/outbox/outbox.ts'
import { deleteUnverifiedAccounts } from './claim-repository.ts'
import * as repository from './token-repository.ts'

const PASSKEY_LINK = ['passkey-link'] as const

/**
 * Changes the e-mail address of an account whose row is locked. Revokes passwords and links that were sent to the
 * former e-mail address, and notifies that address with a link that undoes the change within 7 days.
 * @param newEmail placeholder without `@` if the account no longer has an e-mail address
 * @returns false if another account has the e-mail address
 */
export async function changeEmail(
  tx: Queryable,
  { id, email }: Pick<Account, 'id' | 'email'>,
  newEmail: string,
): Promise<boolean> {
  await deleteUnverifiedAccounts(tx, [newEmail])
  if (!(await repository.updateEmail(tx, id, email, newEmail))) return false
  await withdrawMails(tx, id, [...PASSWORD_MAIL_KINDS, ...PASSKEY_LINK, 'new-email'], newEmail)
  await repository.deleteNewEmailLinks(tx, id, newEmail)
  await repository.deleteMailedPassword(tx, id)
  const payload = { newEmail: newEmail.includes('@') ? newEmail : '' }
  if (email.includes('@')) await insertMail(tx, { webUserId: id, kind: 'email-changed', payload, recipient: email })
  return true
}

/**
 * Changes an account's e-mail address on behalf of the department. This does not prove that the person owns the new
 * e-mail address, so sessions and remembered devices are revoked as well. `revokeUnverifiedAccess` revokes the
 * password before the account gets its first right.
 * @returns false if another account has the e-mail address
 */
export async function changeEmailOnBehalf(
  tx: Queryable,
  account: Pick<Account, 'id' | 'email' | 'passwordHash'>,
  newEmail: string,
): Promise<boolean> {
  const { id, passwordHash } = account
  const hadPasskeyLink = await repository.deletePasskeyLinks(tx, id)
  if (!(await changeEmail(tx, account, newEmail))) return false
  if (!newEmail.includes('@')) {
    await repository.revokeAccountAccess(tx, id, { isLocked: false })
    return true
  }
  await deleteSessions(tx, id)
  await deleteDevices(tx, id)
  await repository.updateEmailUnverified(tx, id)
  if (passwordHash === null) await insertMail(tx, { webUserId: id, kind: 'welcome-import', payload: {} })
  if (hadPasskeyLink) await insertMail(tx, { webUserId: id, kind: 'passkey-link', payload: {} })
  return true
}

/**
 * Withdraws the password that an invitation sent by e-mail. The person can still request another one.
 * @returns whether the e-mail had not been sent yet
 */
export async function withdrawInvitation(tx: Queryable, webUserId: number): Promise<boolean> {
  const unsent = await withdrawMails(tx, webUserId, [...PASSWORD_MAIL_KINDS])
  await repository.deleteMailedPassword(tx, webUserId)
  return unsent > 0
}

/**
 * Call this before granting an account its first right. Revokes undo links sent to former e-mail addresses. If the
 * department entered the current e-mail address, also revokes the password, so that the next login requires access to
 * the mailbox.
 */
export async function revokeUnverifiedAccess(tx: Queryable, webUserId: number): Promise<void> {
  const account = await repository.findAccountRightsState(tx, webUserId)
  if (account === null || account.hasRights) return
  await withdrawMails(tx, webUserId, [...SECURITY_NOTICE_MAIL_KINDS], account.email)
  await repository.deleteUndoLinksOfFormerEmails(tx, webUserId, account.email)
  // An account without a password has nothing to revoke: each password sent to the current address proves it.
  if (!account.isAddressUnproved || !account.hasPassword) return
  await repository.revokeAccountAccess(tx, webUserId, { isLocked: false })
  await insertMail(tx, { webUserId, kind: 'password-reset', payload: {} })
}

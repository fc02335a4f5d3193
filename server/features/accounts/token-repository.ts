import { type Queryable, sql } from '#server/platform/db/client.ts'
import { EMAIL_CHANGE_UNDO_DAYS, MAILED_LINK_DAYS } from './rules.ts'

export type MailedLinkPurpose = 'activation' | 'new-email' | 'undo' | 'passkey' | 'merge'

/**
 * Stores the link of an e-mail that is being sent, or renews it when the e-mail is retried. A `new-email` link verifies
 * the e-mail address it is sent to; an `undo` link restores the previous one. Links get the creation time of their
 * e-mails, so that retries do not change the order of undo links.
 * @returns whether the link is valid; false if the e-mail was withdrawn or the person deleted
 */
export const insertMailedLink = async (
  db: Queryable,
  { mailId, purpose, tokenHash }: { mailId: number; purpose: MailedLinkPurpose; tokenHash: Buffer },
): Promise<boolean> =>
  (await db.execute(sql`
    with person as materialized (
      -- locked before the mail, in the same order as by a registration that replaces another one
      select id from web_users where id = (select web_user_id from mails where id = ${mailId}) and (deleted_at is null or ${purpose} = 'merge') for key share
    ), mail as materialized (
      select m.web_user_id, m.recipient, m.created_at, (m.payload ->> 'mergeId')::int as merge_id from mails m join person p on p.id = m.web_user_id
      where m.id = ${mailId} and m.sent_at is null
        -- a merge that is final or was separated cannot be answered any more
        and (${purpose} <> 'merge' or exists (select from merges where id = (m.payload ->> 'mergeId')::int))
      for update of m
    )
    insert into account_tokens (token_hash, web_user_id, purpose, new_email, created_at, expires_at, merge_id)
    select ${tokenHash}::bytea, web_user_id, ${purpose}, case when ${purpose} <> 'activation' then recipient end,
      created_at, clock_timestamp() + ${purpose === 'undo' || purpose === 'merge' ? EMAIL_CHANGE_UNDO_DAYS : MAILED_LINK_DAYS} * interval '1 day',
      merge_id
    from mail
    on conflict (token_hash) do update set expires_at = excluded.expires_at`)) > 0

/**
 * Stores the link of an e-mail that asks an instructor to be a substitute.
 * @returns whether the link is valid; false if the e-mail was withdrawn
 */
export const insertSubstituteLink = async (db: Queryable, mailId: number, tokenHash: Buffer): Promise<boolean> =>
  (await db.execute(sql`
    insert into substitute_links (token_hash, invitation_id)
    select ${tokenHash}::bytea, i.id from mails m join substitute_invitations i on i.id = (m.payload ->> 'invitationId')::int
    where m.id = ${mailId} and m.sent_at is null
    on conflict (token_hash) do update set invitation_id = excluded.invitation_id`)) > 0

export type MailedLink = {
  tokenHash: Buffer
  webUserId: number
  purpose: MailedLinkPurpose
  newEmail: string | null
  mergeId: number | null
}

export const findMailedLink = (tx: Queryable, tokenHash: Buffer): Promise<MailedLink | null> =>
  tx.maybeOne(sql`
    select token_hash as "tokenHash", web_user_id as "webUserId", purpose, new_email as "newEmail", merge_id as "mergeId" from account_tokens
    where token_hash = ${tokenHash} and expires_at > clock_timestamp() and purpose <> 'passkey'`)

/** Whether a valid link that confirms this new e-mail address was sent to the person or is queued. */
export const hasNewEmailLink = async (tx: Queryable, webUserId: number, newEmail: string): Promise<boolean> =>
  (await tx.execute(sql`
    select from account_tokens
    where web_user_id = ${webUserId} and purpose = 'new-email' and new_email = ${newEmail} and expires_at > clock_timestamp()
    union all
    select from mails
    where web_user_id = ${webUserId} and recipient = ${newEmail} and kind = 'new-email' and sent_at is null`)) > 0

/** Revokes links that confirm other new e-mail addresses, because only the address requested last can be confirmed. */
export const deleteNewEmailLinks = (tx: Queryable, webUserId: number, butNewEmail: string | null): Promise<number> =>
  tx.execute(sql`
    delete from account_tokens
    where web_user_id = ${webUserId} and purpose = 'new-email' and new_email is distinct from ${butNewEmail}`)

/** Data shown about a link before it is used. `registeredAt`: see toDateTimeValue */
export const findMailedLinkDetails = (
  db: Queryable,
  tokenHash: Buffer,
): Promise<{
  purpose: Exclude<MailedLinkPurpose, 'passkey'>
  givenName: string
  familyName: string
  registeredAt: string
} | null> =>
  db.maybeOne(sql`
    select t.purpose, u.given_name as "givenName", u.family_name as "familyName", u.created_at::timestamp as "registeredAt"
    from account_tokens t join web_users u on u.id = t.web_user_id
    where t.token_hash = ${tokenHash} and t.expires_at > clock_timestamp() and t.purpose <> 'passkey'`)

/**
 * Resets the registration limit for an e-mail address, so that registrations by others do not use up its owner's limit.
 */
export const deleteRegistrationEvents = (tx: Queryable, email: string): Promise<number> =>
  tx.execute(sql`delete from throttle_events where kind = 'registration' and subject = ${email}`)

export const deleteMailedLink = (tx: Queryable, tokenHash: Buffer): Promise<number> =>
  tx.execute(sql`delete from account_tokens where token_hash = ${tokenHash}`)

/**
 * Deletes an account's links except undo links older than the given one. Later undo links and all other links may
 * belong to an attacker.
 */
export const deleteAllButOlderUndoLinks = (tx: Queryable, { webUserId, tokenHash }: MailedLink): Promise<number> =>
  tx.execute(sql`
    delete from account_tokens where web_user_id = ${webUserId} and (
      purpose <> 'undo' or created_at >= (select created_at from account_tokens where token_hash = ${tokenHash}))`)

/**
 * Revokes everything that gives access to an account: password, single-use password sent by e-mail, passkeys, sessions,
 * remembered browsers, and rights that wait for the first login; also the IBAN for a refund.
 * @param isLocked whether to lock the account as well
 */
export async function revokeAccountAccess(
  tx: Queryable,
  webUserId: number,
  { isLocked }: { isLocked: boolean },
): Promise<void> {
  await tx.execute(sql`
    update web_users set password_hash = null, reset_password_hash = null, reset_expires_at = null,
      is_password_to_change = true, locked_at = case when ${isLocked} then clock_timestamp() else locked_at end
    where id = ${webUserId}`)
  await tx.execute(sql`delete from sessions where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from known_devices where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from passkeys where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from payout_accounts where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from invited_rights where web_user_id = ${webUserId}`)
}

export const updateAccountActivated = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    update web_users set confirmed_at = clock_timestamp() where id = ${webUserId} and confirmed_at is null`)

/**
 * Sets a person's new e-mail address, and updates it in the instructor profile and thereby in the courses they teach.
 * @returns whether the e-mail address was available
 * @throws DatabaseError if another account takes it concurrently: see isEmailTakenError
 */
export async function updateEmail(
  tx: Queryable,
  webUserId: number,
  oldEmail: string,
  newEmail: string,
): Promise<boolean> {
  const updated = await tx.execute(sql`
    update web_users set email = ${newEmail}, is_address_unproved = false
    where id = ${webUserId} and not exists (select from web_users where email = ${newEmail})`)
  if (updated === 0) return false
  if (newEmail.includes('@')) await moveInstructor(tx, oldEmail, newEmail)
  return true
}

const moveInstructor = (tx: Queryable, oldEmail: string, newEmail: string): Promise<number> =>
  tx.execute(sql`
    update instructors set email = ${newEmail}
    where email = ${oldEmail} and not exists (select from instructors where email = ${newEmail})`)

export const deleteMailedPassword = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`update web_users set reset_password_hash = null, reset_expires_at = null where id = ${webUserId}`)

/**
 * Revokes links for registering a first passkey.
 * @returns whether such a link existed, either already sent or in a queued e-mail
 */
export async function deletePasskeyLinks(tx: Queryable, webUserId: number): Promise<boolean> {
  const mails = await tx.execute(sql`
    delete from mails where web_user_id = ${webUserId} and kind = 'passkey-link' and sent_at is null`)
  const links = await tx.execute(sql`
    delete from account_tokens where web_user_id = ${webUserId} and purpose = 'passkey'`)
  return mails + links > 0
}

/**
 * Marks a person's e-mail address as entered by the department and unverified. A login with a single-use password sent
 * by e-mail, or a confirmed link, verifies the address.
 */
export const updateEmailUnverified = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`update web_users set is_address_unproved = true where id = ${webUserId}`)

export const findAccountRightsState = (
  tx: Queryable,
  webUserId: number,
): Promise<{ email: string; isAddressUnproved: boolean; hasPassword: boolean; hasRights: boolean } | null> =>
  tx.maybeOne(sql`
    select email, is_address_unproved as "isAddressUnproved",
      password_hash is not null or exists (select from passkeys p where p.web_user_id = u.id) as "hasPassword",
      exists (select from office_rights r where r.web_user_id = u.id) as "hasRights"
    from web_users u where id = ${webUserId} and deleted_at is null`)

export const deleteUndoLinksOfFormerEmails = (tx: Queryable, webUserId: number, email: string): Promise<number> =>
  tx.execute(sql`
    delete from account_tokens where web_user_id = ${webUserId} and purpose = 'undo' and new_email is distinct from ${email}`)

/** Whether the error is a unique violation because another account has taken the e-mail address concurrently. */
export const isEmailTakenError = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'web_users_email_key'

import { type Queryable, sql } from '#server/db/client.ts'
import { LINK_DAYS } from './rules.ts'

export type LinkPurpose = 'activation' | 'new-email'

/** Notes a link that a mail carries. @param newEmail the address that its opening proves, for a new one */
export const insertLink = (
  tx: Queryable,
  link: { tokenHash: Buffer; webUserId: number; purpose: LinkPurpose; newEmail?: string },
): Promise<number> =>
  tx.execute(sql`
    insert into account_tokens (token_hash, web_user_id, purpose, new_email, expires_at)
    values (${link.tokenHash}, ${link.webUserId}, ${link.purpose}, ${link.newEmail ?? null},
      clock_timestamp() + ${LINK_DAYS} * interval '1 day')`)

export type Link = { webUserId: number; purpose: LinkPurpose; newEmail: string | null }

export const findLink = (tx: Queryable, tokenHash: Buffer): Promise<Link | null> =>
  tx.maybeOne(sql`
    select web_user_id as "webUserId", purpose, new_email as "newEmail" from account_tokens
    where token_hash = ${tokenHash} and expires_at > clock_timestamp()`)

/** Whether a link that still works was sent to this new address of a person. */
export const hasNewEmailLink = async (tx: Queryable, webUserId: number, newEmail: string): Promise<boolean> =>
  (await tx.execute(sql`
    select from account_tokens
    where web_user_id = ${webUserId} and new_email = ${newEmail} and expires_at > clock_timestamp()`)) > 0

/** Only the latest new address of a person can still be proved. */
export const deleteNewEmailLinks = (tx: Queryable, webUserId: number, butNewEmail: string | null): Promise<number> =>
  tx.execute(sql`
    delete from account_tokens
    where web_user_id = ${webUserId} and purpose = 'new-email' and new_email is distinct from ${butNewEmail}`)

export const updateConfirmed = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    update web_users set confirmed_at = clock_timestamp() where id = ${webUserId} and confirmed_at is null`)

/**
 * The new address counts from now on, for an instructor's courses too.
 * @returns whether nobody else has it @throws DatabaseError when somebody else takes it at this moment: see isEmailTaken
 */
export async function updateEmail(
  tx: Queryable,
  webUserId: number,
  oldEmail: string,
  newEmail: string,
): Promise<boolean> {
  const updated = await tx.execute(sql`
    update web_users set email = ${newEmail}
    where id = ${webUserId} and not exists (select from web_users where email = ${newEmail})`)
  if (updated === 0) return false
  await tx.execute(sql`
    update instructors set email = ${newEmail}
    where email = ${oldEmail} and not exists (select from instructors where email = ${newEmail})`)
  return true
}

/** Whether a change failed because somebody else got the address first. */
export const isEmailTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'web_users_email_key'

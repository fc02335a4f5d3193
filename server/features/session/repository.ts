import type { Language } from '#contract/values.ts'
import { RIGHTS, type Right } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SessionUser } from '#server/platform/http/mount.ts'
import { accountRights, mayLogIn } from './account-repository.ts'
import {
  FRESH_PASSKEY_SECONDS,
  KNOWN_BROWSER_RETENTION_DAYS,
  MAILED_PASSWORD_HOURS,
  PASSKEY_CONFIRMATION_MAX_HOURS,
  PASSKEY_CONFIRMATION_MINUTES,
  PERSISTENT_SESSION_DAYS,
  PERSISTENT_SESSION_MAX_DAYS,
  SESSION_HOURS,
  SSO_RIGHTS_HOURS,
} from './rules.ts'

/**
 * SQL for the maximum lifetime of session `s`. A persistent session ends a year after its login even if it is in use.
 */
const keptAtMost = sql`${PERSISTENT_SESSION_MAX_DAYS} * interval '1 day'`
const isAlive = sql`s.expires_at > clock_timestamp() and s.created_at > clock_timestamp() - ${keptAtMost}`

/** SQL for the staff rights of person `u`, in the order of `RIGHTS`. */
export const rightsOfUser = sql`array(
  select r."right" from office_rights r where r.web_user_id = u.id and (not r.is_by_claim or r.granted_at > clock_timestamp() - ${SSO_RIGHTS_HOURS} * interval '1 hour')
  order by array_position(${[...RIGHTS]}::text[], r."right"))`
/** SQL condition: session `s` was recently confirmed with a passkey. Using the office UI extends that period. */
const isConfirmed = sql`(s.confirmed_at > clock_timestamp() - ${PASSKEY_CONFIRMATION_MINUTES} * interval '1 minute'
  and s.passkey_at > clock_timestamp() - ${PASSKEY_CONFIRMATION_MAX_HOURS} * interval '1 hour')`

/**
 * Users of these session tokens; null for invalid ones. `isUseStale`: the last use was recorded more than an hour ago.
 */
export async function listSessionUsers(
  db: Queryable,
  tokenHashes: Buffer[],
): Promise<((SessionUser & { isUseStale: boolean }) | null)[]> {
  const users = await db.query<SessionUser & { isUseStale: boolean }>(sql`
    select s.token_hash as "tokenHash", u.id, u.email, exists (select from instructors i where i.email = u.email) as "isInstructor",
      -- A weak imported password must also be changed at the first login, but does not block requests until then.
      u.is_password_to_change and u.password_hash is null as "isPasswordToChange", s.last_used_at < clock_timestamp() - interval '1 hour' as "isUseStale",
      ${rightsOfUser} as rights, coalesce(${isConfirmed}, false) as "isConfirmed",
      coalesce(least(s.passkey_at, s.confirmed_at) > clock_timestamp() - ${FRESH_PASSKEY_SECONDS} * interval '1 second'
        and s.confirmed_at is not null, false) as "hasFreshPasskey"
    from sessions s join web_users u on u.id = s.web_user_id
    where s.token_hash = any(${tokenHashes}::bytea[]) and ${isAlive} and ${mayLogIn}`)
  const byHash = new Map(users.map(user => [user.tokenHash.toString('latin1'), user]))
  return tokenHashes.map(tokenHash => byHash.get(tokenHash.toString('latin1')) ?? null)
}

/** Finds the user of a session by a prefix of its hash (12 bytes). */
export const findUserBySessionHashPrefix = (
  db: Queryable,
  sessionRef: Buffer,
): Promise<Pick<SessionUser, 'id' | 'email'> | null> =>
  db.maybeOne(sql`
    select u.id, u.email from sessions s join web_users u on u.id = s.web_user_id
    where substring(s.token_hash for 12) = ${sessionRef} and ${isAlive} and ${mayLogIn}`)

const keptUntil = sql`clock_timestamp() + ${PERSISTENT_SESSION_DAYS} * interval '1 day'`

/** Records the use of a session, which extends it if it is persistent. */
export const updateSessionUse = (db: Queryable, tokenHash: Buffer): Promise<number> =>
  db.execute(sql`
    update sessions set last_used_at = clock_timestamp(),
      expires_at = case when is_kept then least(${keptUntil}, created_at + ${keptAtMost}) else expires_at end
    where token_hash = ${tokenHash} and last_used_at < clock_timestamp() - interval '1 hour'`)

/**
 * Finds a session by the hash of its token and returns it with the account's rights and whether single sign-on started
 * it; null if the token is unknown or expired.
 */
export const findSession = (
  db: Queryable,
  tokenHash: Buffer,
): Promise<{
  webUserId: number
  isKept: boolean
  isInstructor: boolean
  isPasswordToChange: boolean
  isByCompany: boolean
  rights: Right[]
} | null> =>
  db.maybeOne(sql`
    select u.id as "webUserId", s.is_kept as "isKept", u.is_password_to_change as "isPasswordToChange", s.is_by_company as "isByCompany",
      exists (select from instructors i where i.email = u.email) as "isInstructor", ${rightsOfUser} as rights
    from sessions s join web_users u on u.id = s.web_user_id
    where s.token_hash = ${tokenHash} and ${isAlive} and ${mayLogIn}`)

/** Records activity in the office UI, which extends a passkey confirmation. */
export const updatePasskeyConfirmation = (db: Queryable, tokenHash: Buffer): Promise<number> =>
  db.execute(
    sql`update sessions s set confirmed_at = clock_timestamp() where token_hash = ${tokenHash} and ${isConfirmed}`,
  )

export type LoginUser = {
  id: number
  passwordHash: string | null
  /** hash of the single-use password sent by e-mail; null if none was sent or it has expired */
  mailedPasswordHash: string | null
  isActive: boolean
  /** hash of the browser's token for this account; null if the browser has not logged in to it before */
  deviceHash: Buffer | null
  isLocked: boolean
}

export const findLoginUser = (db: Queryable, email: string, deviceHashes: Buffer[] = []): Promise<LoginUser | null> =>
  db.maybeOne(sql`
    select id, password_hash as "passwordHash", ${mayLogIn} as "isActive", state = 'locked' as "isLocked",
      case when reset_expires_at > clock_timestamp() then reset_password_hash end as "mailedPasswordHash",
      (select d.token_hash from known_devices d
        where d.web_user_id = u.id and d.token_hash = any(${deviceHashes}::bytea[])
          and d.last_used_at > clock_timestamp() - ${KNOWN_BROWSER_RETENTION_DAYS} * interval '1 day' limit 1) as "deviceHash"
    from web_users u where email = ${email} and deleted_at is null`)

/**
 * Locks the account's row, so that logins and password changes are serialized.
 * @param passwordHash password hash read before the lock was acquired
 * @param isToChange whether the password will be changed; if false, a shared lock permits concurrent logins
 * @returns whether the stored hash still equals `passwordHash`
 */
export const lockPassword = async (
  tx: Queryable,
  webUserId: number,
  passwordHash: string | null,
  isToChange: boolean,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select id from web_users where id = ${webUserId} and password_hash is not distinct from ${passwordHash}
    for ${isToChange ? sql`no key update` : sql`share`}`)) !== null

/**
 * Grants the rights of an invitation that has not expired, once a login has proved the person's e-mail address.
 * @returns the granted rights
 */
export const grantInvitationRights = async (tx: Queryable, webUserId: number): Promise<Right[]> =>
  (
    await tx.query<{ right: Right }>(sql`
      with invited as (
        delete from invited_rights i using ${accountRights} r, web_users u
        where i.web_user_id = ${webUserId} and (r.web_user_id, r."right") = (i.web_user_id, i."right") and r.is_pending
          and u.id = i.web_user_id and not u.is_address_unproved
        returning i."right"
      ), given as (
        insert into office_rights (web_user_id, "right") select ${webUserId}, "right" from invited on conflict do nothing)
      select "right" from invited order by 1`)
  ).map(row => row.right)

/** Opens a session, storing only the hash of its token. */
export async function insertSession(
  tx: Queryable,
  session: { tokenHash: Buffer; webUserId: number; isKept: boolean; device: string; language: Language | null },
): Promise<void> {
  const expiresAt = session.isKept ? keptUntil : sql`clock_timestamp() + ${SESSION_HOURS} * interval '1 hour'`
  await tx.execute(sql`
    insert into sessions (token_hash, web_user_id, is_kept, device, expires_at)
    values (${session.tokenHash}, ${session.webUserId}, ${session.isKept}, ${session.device}, ${expiresAt})`)
  if (session.language) {
    await tx.execute(sql`
      update web_users set language = ${session.language}
      where id = ${session.webUserId} and language <> ${session.language}`)
  }
}

/** Whether the session was started within the past hour, so that the password need not be entered again. */
export const isLoginRecent = async (db: Queryable, tokenHash: Buffer): Promise<boolean> =>
  (await db.maybeOne(sql`
    select where exists (
      select from sessions where token_hash = ${tokenHash} and created_at > clock_timestamp() - interval '1 hour')`)) !==
  null

/**
 * Whether the session was confirmed with a passkey within the past few minutes. Use of the office UI does not extend
 * this period.
 */
export const isPasskeyRecent = async (db: Queryable, tokenHash: Buffer): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from sessions where token_hash = ${tokenHash}
      and passkey_at > clock_timestamp() - ${PASSKEY_CONFIRMATION_MINUTES} * interval '1 minute'`)) !== null

export const deleteSession = (db: Queryable, tokenHash: Buffer): Promise<number> =>
  db.execute(sql`delete from sessions where token_hash = ${tokenHash}`)

/** Ends all sessions of a person except `butTokenHash`. */
export const deleteSessions = (tx: Queryable, webUserId: number, butTokenHash: Buffer | null = null): Promise<number> =>
  tx.execute(sql`
    delete from sessions where web_user_id = ${webUserId} and token_hash is distinct from ${butTokenHash}`)

/** A person's active sessions: the current one first, then the others by last use. */
export const listSessions = (
  db: Queryable,
  webUserId: number,
  tokenHash: Buffer,
): Promise<
  { id: number; device: string; startedAt: string; lastUsedAt: string; isKept: boolean; isCurrent: boolean }[]
> =>
  db.query(sql`
    select s.id, s.device, s.created_at::timestamp as "startedAt", s.last_used_at::timestamp as "lastUsedAt",
      s.is_kept as "isKept", s.token_hash = ${tokenHash} as "isCurrent"
    from sessions s where s.web_user_id = ${webUserId} and ${isAlive}
    order by "isCurrent" desc, s.last_used_at desc, s.id desc`)

/**
 * Ends one of the person's sessions.
 * @returns 0 if it does not exist or belongs to another person
 */
export const deleteOwnSession = (db: Queryable, webUserId: number, id: number): Promise<number> =>
  db.execute(sql`delete from sessions where web_user_id = ${webUserId} and id = ${id}`)

/** Replaces a password hash with one that uses the current parameters. */
export const updatePasswordHash = (tx: Queryable, webUserId: number, passwordHash: string): Promise<number> =>
  tx.execute(sql`update web_users set password_hash = ${passwordHash} where id = ${webUserId}`)

export const findPasswordOwner = (
  db: Queryable,
  webUserId: number,
): Promise<{ email: string; givenName: string; familyName: string } | null> =>
  db.maybeOne(sql`
    select email, given_name as "givenName", family_name as "familyName" from web_users where id = ${webUserId}`)

/**
 * Sets a password chosen by the account's owner. Revokes the single-use password sent by e-mail and links that confirm
 * a new e-mail address.
 * @returns whether the account exists
 */
export async function updatePassword(tx: Queryable, webUserId: number, passwordHash: string): Promise<boolean> {
  const updated = await tx.execute(sql`
    update web_users set password_hash = ${passwordHash}, is_password_to_change = false,
      reset_password_hash = null, reset_expires_at = null
    where id = ${webUserId} and deleted_at is null`)
  await tx.execute(sql`delete from account_tokens where web_user_id = ${webUserId} and purpose = 'new-email'`)
  return updated > 0
}

/**
 * Stores the hash of a single-use password that is about to be sent by e-mail. The old password stays valid until this
 * one is used. A password sent by an earlier attempt of the same e-mail also stays valid, because that copy may have
 * arrived.
 * @returns whether the password is valid; false if the e-mail was withdrawn or the person deleted
 */
export const updateMailedPassword = async (db: Queryable, mailId: number, mailedHash: string): Promise<boolean> =>
  (await db.execute(sql`
    with person as materialized (
      -- locked before the mail, in the same order as by a password change
      select id from web_users where id = (select web_user_id from mails where id = ${mailId}) for no key update
    ), mail as materialized (
      select m.web_user_id, m.attempts from mails m join person p on p.id = m.web_user_id
      where m.id = ${mailId} and m.sent_at is null for update of m
    )
    update web_users u set reset_expires_at = clock_timestamp() + ${MAILED_PASSWORD_HOURS} * interval '1 hour',
      reset_password_hash = case
        when mail.attempts < 2 or coalesce(reset_expires_at <= clock_timestamp(), true) then ${mailedHash}
        when strpos(reset_password_hash, ${mailedHash}) > 0 then reset_password_hash
        else ${mailedHash} || ' ' || split_part(reset_password_hash, ' ', 1) end
    from mail where u.id = mail.web_user_id and u.deleted_at is null`)) > 0

/**
 * Consumes a single-use password sent by e-mail and revokes the account's previous password.
 * @returns whether the single-use password was valid; only one of several concurrent uses succeeds
 */
export const consumeMailedPassword = async (tx: Queryable, webUserId: number, mailedHash: string): Promise<boolean> =>
  (await tx.execute(sql`
    update web_users set password_hash = null, is_password_to_change = true, is_address_unproved = false,
      reset_password_hash = null, reset_expires_at = null
    where id = ${webUserId} and reset_password_hash = ${mailedHash} and reset_expires_at > clock_timestamp()`)) === 1

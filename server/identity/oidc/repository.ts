import type { AccountState, Right } from '#contract/values.ts'
import { isOnPayroll, isPersonVerified } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { LOGIN_STATE_MINUTES } from './rules.ts'

/** Reasons why a login is refused. */
export const LOGIN_REFUSALS = ['unavailable', 'refused', 'notMeant', 'left', 'locked', 'taken', 'otherNumber'] as const
export type LoginRefusal = (typeof LOGIN_REFUSALS)[number]

type Started = {
  browserHash: Buffer
  stateHash: Buffer
  nonce: string
  verifier: string
  next: string
  isKept: boolean
  /** `unavailable` if the provider could not be reached when the login was started, otherwise null */
  outcome: LoginRefusal | null
}

export async function insertLoginState(db: Queryable, login: Started): Promise<void> {
  await db.execute(sql`delete from company_logins where expires_at < clock_timestamp()`)
  await db.execute(sql`
    insert into company_logins (browser_hash, state_hash, nonce, verifier, next, is_kept, outcome, expires_at)
    values (${login.browserHash}, ${login.stateHash}, ${login.nonce}, ${login.verifier}, ${login.next}, ${login.isKept},
      ${login.outcome}, clock_timestamp() + ${LOGIN_STATE_MINUTES} * interval '1 minute')`)
}

/** Returns and deletes the login state when the browser returns. Single use prevents replay. */
export const consumeLoginState = (
  db: Queryable,
  browserHash: Buffer,
  stateHash: Buffer,
): Promise<{ nonce: string; verifier: string; next: string } | null> =>
  db.maybeOne(sql`
    update company_logins set outcome = 'refused'
    where browser_hash = ${browserHash} and state_hash = ${stateHash} and outcome is null and expires_at > clock_timestamp()
    returning nonce, verifier, next`)

export const saveLoginOutcome = (
  db: Queryable,
  browserHash: Buffer,
  outcome: LoginRefusal | 'Ok',
  { webUserId, sid }: { webUserId: number | null; sid: string },
): Promise<number> =>
  db.execute(sql`
    update company_logins set outcome = ${outcome}, web_user_id = ${webUserId}, company_sid = ${sid}, verifier = '', nonce = ''
    where browser_hash = ${browserHash}`)

/** Returns and deletes the outcome of a login. */
export const consumeLoginOutcome = (
  tx: Queryable,
  browserHash: Buffer,
): Promise<{ outcome: LoginRefusal | 'Ok' | null; webUserId: number | null; isKept: boolean; sid: string } | null> =>
  tx.maybeOne(sql`
    delete from company_logins where browser_hash = ${browserHash} and expires_at > clock_timestamp()
    returning outcome, web_user_id as "webUserId", is_kept as "isKept", company_sid as sid`)

export type CompanyAccount = {
  id: number
  email: string
  state: AccountState
  personnelNumber: string
  /** whether the account's personnel number is verified */
  isNumberVerified: boolean
  hasLeft: boolean
}

const account = sql`u.id, u.email, u.state, u.personnel_number as "personnelNumber",
  u.personnel_number <> '' and ${isOnPayroll} and ${isPersonVerified} as "isNumberVerified"`

/** Serializes a person's logins, because concurrent ones would create two accounts. */
export const lockPersonnelNumber = (tx: Queryable, personnelNumber: string): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`company ${personnelNumber}`}))`)

export const findLinkedAccount = (tx: Queryable, issuer: string, subject: string): Promise<CompanyAccount | null> =>
  tx.maybeOne(sql`
    select ${account}, c.left_at is not null as "hasLeft" from company_accounts c join web_users u on u.id = c.web_user_id
    where c.issuer = ${issuer} and c.subject = ${subject} and u.deleted_at is null for update of u`)

export const findAccountByEmail = (tx: Queryable, email: string): Promise<CompanyAccount | null> =>
  tx.maybeOne(sql`
    select ${account}, false as "hasLeft" from web_users u
    where u.email = ${email} and u.state in ('proved', 'known', 'locked') for update`)

export const findAccountById = (tx: Queryable, id: number): Promise<CompanyAccount | null> =>
  tx.maybeOne(
    sql`select ${account}, false as "hasLeft" from web_users u where u.id = ${id} and u.deleted_at is null for update`,
  )

export const upsertLinkedAccount = (
  tx: Queryable,
  issuer: string,
  subject: string,
  webUserId: number,
): Promise<number> =>
  tx.execute(sql`
    insert into company_accounts (issuer, subject, web_user_id) values (${issuer}, ${subject}, ${webUserId})
    on conflict (issuer, subject) do update set web_user_id = excluded.web_user_id, last_login_at = clock_timestamp(), left_at = null`)

/** Adds a refused login to the *Today* page of the office UI. */
export const upsertPersonnelNumberConflict = (
  tx: Queryable,
  { webUserId, email, personnelNumber }: { webUserId: number; email: string; personnelNumber: string },
): Promise<number> =>
  tx.execute(sql`
    insert into company_number_conflicts (web_user_id, email, personnel_number) values (${webUserId}, ${email}, ${personnelNumber})
    on conflict (web_user_id) do update set email = excluded.email, personnel_number = excluded.personnel_number,
      refused_at = excluded.refused_at`)

/** Whether the HR list contains a personnel number. Also true if there is no HR list. */
export const isOnHrList = async (tx: Queryable, personnelNumber: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select where not exists (select from eligible_people) and not exists (select from scim_users)
      or exists (select from eligible_people where personnel_number = ${personnelNumber})`)) !== null

/**
 * Replaces the account's e-mail address and deletes its other credentials, because someone else may have registered the
 * account with this person's personnel number.
 */
export async function deleteOtherCredentials(tx: Queryable, webUserId: number, email: string): Promise<void> {
  await tx.execute(sql`
    update web_users set password_hash = null, imported_password_hash = null, reset_password_hash = null, reset_expires_at = null,
      is_password_to_change = false, email = ${email} where id = ${webUserId}`)
  for (const table of [
    'sessions',
    'known_devices',
    'passkeys',
    'account_tokens',
    'calendar_feeds',
    'push_subscriptions',
  ])
    await tx.execute(sql`delete from ${sql.raw(table)} where web_user_id = ${webUserId}`)
}

export const findDivision = async (tx: Queryable, id: number): Promise<number | null> =>
  (await tx.maybeOne<{ id: number }>(sql`select id from divisions where id = ${id}`))?.id ?? null

/** Marks status and personnel number as verified by the company, and the e-mail address if the company states the same. */
export const updatePersonVerifiedByCompany = (tx: Queryable, webUserId: number, email: string): Promise<number> =>
  tx.execute(sql`
    update web_users set known_at = coalesce(known_at, clock_timestamp()), is_address_unproved = is_address_unproved and email <> ${email}
    where id = ${webUserId}`)

export const setProviderSessionId = (tx: Queryable, tokenHash: Buffer, sid: string): Promise<number> =>
  tx.execute(sql`update sessions set is_by_company = true, company_sid = ${sid} where token_hash = ${tokenHash}`)

/**
 * Stores a logout token's hash to prevent replay.
 * @returns whether the token is new
 */
export async function recordLogoutToken(tx: Queryable, jtiHash: Buffer, minutes: number): Promise<boolean> {
  await tx.execute(sql`delete from company_logouts where expires_at < clock_timestamp()`)
  const taken = await tx.execute(sql`
    insert into company_logouts (jti_hash, expires_at) values (${jtiHash}, clock_timestamp() + ${minutes} * interval '1 minute')
    on conflict do nothing`)
  return taken === 1
}

/**
 * Ends sessions and pending logins of a single sign-on account.
 * @param sid id of the provider session that ended; '' for all of them
 */
export async function endCompanySessions(
  tx: Queryable,
  { issuer, subject, sid }: { issuer: string; subject: string; sid: string },
): Promise<number> {
  const isMeant = sql`
    (${subject} = '' or web_user_id in (select web_user_id from company_accounts where issuer = ${issuer} and subject = ${subject}))
    and (${sid} = '' or company_sid = ${sid} or (company_sid = '' and ${subject} <> ''))`
  await tx.execute(sql`delete from company_logins where outcome = 'Ok' and ${isMeant}`)
  return tx.execute(sql`delete from sessions where is_by_company and ${isMeant}`)
}

export const listRights = (tx: Queryable, webUserId: number): Promise<{ right: Right; isByClaim: boolean }[]> =>
  tx.query(sql`select "right", is_by_claim as "isByClaim" from office_rights where web_user_id = ${webUserId}`)

/**
 * Renews the rights that single sign-on claims grant, so that their validity starts again.
 * @param newOnes rights granted by the claims of the current login
 */
export const updateRightsByClaim = (tx: Queryable, webUserId: number, newOnes: Right[]): Promise<number> =>
  tx.execute(sql`
    update office_rights set is_by_claim = is_by_claim or "right" = any(${newOnes}), granted_at = clock_timestamp()
    where web_user_id = ${webUserId} and (is_by_claim or "right" = any(${newOnes}))`)

import { type Queryable, sql } from '#server/platform/db/client.ts'
import { mayLogIn } from './account-repository.ts'
import { CHALLENGE_MINUTES } from './rules.ts'

export type ChallengePurpose = 'register' | 'confirm'

/** Stores a WebAuthn challenge and deletes expired ones. */
export async function insertChallenge(
  db: Queryable,
  challenge: { challenge: string; purpose: ChallengePurpose; webUserId: number | null },
): Promise<void> {
  await db.execute(sql`
    delete from passkey_challenges where challenge in (
      select challenge from passkey_challenges where expires_at <= clock_timestamp() limit 5 for update skip locked)`)
  await db.execute(sql`
    insert into passkey_challenges (challenge, purpose, web_user_id, expires_at)
    values (${challenge.challenge}, ${challenge.purpose}, ${challenge.webUserId},
      clock_timestamp() + ${CHALLENGE_MINUTES} * interval '1 minute')`)
}

/**
 * Consumes a challenge, which is single-use, short-lived, and bound to a session and a purpose.
 * @returns whether it existed
 */
export const consumeChallenge = async (
  db: Queryable,
  { challenge, purpose, webUserId }: { challenge: string; purpose: ChallengePurpose; webUserId: number | null },
): Promise<boolean> =>
  (await db.execute(sql`
    delete from passkey_challenges where challenge = ${challenge} and purpose = ${purpose}
      and web_user_id is not distinct from ${webUserId}::int and expires_at > clock_timestamp()`)) > 0

export type StoredPasskey = {
  id: string
  webUserId: number
  publicKey: Buffer
  counter: number
  transports: string
  isVouched: boolean
}

/** Locks a passkey until the transaction ends; null if it does not exist or its owner may not log in. */
export const lockPasskey = (
  tx: Queryable,
  id: string,
): Promise<(StoredPasskey & { isActive: boolean; email: string }) | null> =>
  tx.maybeOne(sql`
    select p.id, p.web_user_id as "webUserId", p.public_key as "publicKey", p.counter::int8 as counter, p.transports,
      p.is_vouched as "isVouched", ${mayLogIn} as "isActive", u.email
    from passkeys p join web_users u on u.id = p.web_user_id where p.id = ${id} and u.deleted_at is null for update of p`)

export const updatePasskeyUse = (tx: Queryable, id: string, counter: number): Promise<number> =>
  tx.execute(sql`update passkeys set counter = ${counter}, last_used_at = clock_timestamp() where id = ${id}`)

export const listPasskeys = (
  db: Queryable,
  webUserId: number,
): Promise<
  { id: string; name: string; createdAt: string; lastUsedAt: string | null; isVouched: boolean; transports: string }[]
> =>
  db.query(sql`
    select id, name, created_at::timestamp as "createdAt", last_used_at::timestamp as "lastUsedAt",
      is_vouched as "isVouched", transports
    from passkeys where web_user_id = ${webUserId} order by created_at, id`)

/**
 * Stores a passkey.
 * @returns false if its credential id already exists
 */
export const insertPasskey = async (
  tx: Queryable,
  passkey: Omit<StoredPasskey, 'transports'> & { transports: string; name: string },
): Promise<boolean> =>
  (await tx.execute(sql`
    insert into passkeys (id, web_user_id, public_key, counter, transports, name, is_vouched)
    values (${passkey.id}, ${passkey.webUserId}, ${passkey.publicKey}, ${passkey.counter}, ${passkey.transports},
      ${passkey.name}, ${passkey.isVouched}) on conflict do nothing`)) > 0

export const deletePasskey = (tx: Queryable, webUserId: number, id: string): Promise<number> =>
  tx.execute(sql`delete from passkeys where web_user_id = ${webUserId} and id = ${id}`)

/** Whether a link to register a passkey is valid. Such links are sent by e-mail when a right is granted. */
export const hasPasskeyLink = async (tx: Queryable, webUserId: number, tokenHash: Buffer): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from account_tokens where token_hash = ${tokenHash} and web_user_id = ${webUserId} and purpose = 'passkey'
      and expires_at > clock_timestamp() for update`)) !== null

/** Revokes the links to register a passkey. Called once the first passkey is registered. */
export const deletePasskeyLinks = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`delete from account_tokens where web_user_id = ${webUserId} and purpose = 'passkey'`)

export const updateSessionConfirmed = (tx: Queryable, tokenHash: Buffer): Promise<number> =>
  tx.execute(sql`
    update sessions set confirmed_at = clock_timestamp(), passkey_at = clock_timestamp() where token_hash = ${tokenHash}`)

/** Records the use of a passkey that is not accepted for the office UI. */
export const updateSessionPasskeyUse = (tx: Queryable, tokenHash: Buffer): Promise<number> =>
  tx.execute(sql`update sessions set passkey_at = clock_timestamp() where token_hash = ${tokenHash}`)

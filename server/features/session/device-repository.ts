import { type Queryable, sql } from '#server/platform/db/client.ts'
import { KNOWN_BROWSER_RETENTION_DAYS, MAX_BROWSERS_PER_ACCOUNT } from './rules.ts'

/** First of the browser's device tokens that belongs to any account. Unknown tokens in a cookie prove nothing. */
export const findTokenOfKnownDevice = async (db: Queryable, hashes: Buffer[]): Promise<Buffer | null> =>
  (
    await db.maybeOne<{ hash: Buffer }>(sql`
      select token_hash as hash from known_devices
      where token_hash = any(${hashes}::bytea[]) and last_used_at > clock_timestamp() - ${KNOWN_BROWSER_RETENTION_DAYS} * interval '1 day'
      limit 1`)
  )?.hash ?? null

/** Registers a browser for an account, and deletes the account's oldest browsers beyond the maximum. */
export async function insertDevice(tx: Queryable, webUserId: number, tokenHash: Buffer): Promise<void> {
  await tx.execute(sql`insert into known_devices (token_hash, web_user_id) values (${tokenHash}, ${webUserId})`)
  await tx.execute(sql`
    delete from known_devices where token_hash in (
      select token_hash from known_devices where token_hash in (
        select token_hash from known_devices where web_user_id = ${webUserId}
        order by last_used_at desc, created_at desc offset ${MAX_BROWSERS_PER_ACCOUNT})
      -- Skips rows that a concurrent login is deleting.
      for update skip locked)`)
}

/** Records that the browsers with these device tokens are in use. */
export const updateDeviceUse = (db: Queryable, hashes: Buffer[]): Promise<number> =>
  db.execute(sql`
    update known_devices set last_used_at = clock_timestamp(), has_returned = true
    where token_hash = any(${hashes}::bytea[])
      and (not has_returned or last_used_at < clock_timestamp() - interval '1 hour')`)

/** Deletes the account's registered browsers, except those whose token hashes are in `butHashes`. */
export const deleteDevices = (tx: Queryable, webUserId: number, butHashes: Buffer[] = []): Promise<number> =>
  tx.execute(sql`
    delete from known_devices where web_user_id = ${webUserId} and token_hash <> all(${butHashes}::bytea[])`)

/** Whether any of the person's browsers still sends its cookie, so that a login without one is suspicious. */
export const hasReturningDevice = async (db: Queryable, webUserId: number): Promise<boolean> =>
  (
    await db.one<{ has: boolean }>(sql`
      select exists (select from known_devices where web_user_id = ${webUserId} and has_returned) as has`)
  ).has

/** Current local time in the portal's time zone, in the input format of `toDateTimeValue`. */
export const findLocalTime = async (db: Queryable): Promise<string> =>
  (await db.one<{ now: string }>(sql`select clock_timestamp()::timestamp as now`)).now

/** The browser's token for this account; null if the browser has not logged in to it before. */
export const findDeviceOfAccount = async (
  db: Queryable,
  webUserId: number,
  tokenHashes: Buffer[],
): Promise<Buffer | null> =>
  (
    await db.maybeOne<{ tokenHash: Buffer }>(sql`
      select token_hash as "tokenHash" from known_devices where web_user_id = ${webUserId}
        and token_hash = any(${tokenHashes}::bytea[])
        and last_used_at > clock_timestamp() - ${KNOWN_BROWSER_RETENTION_DAYS} * interval '1 day' limit 1`)
  )?.tokenHash ?? null

import type { Right } from '#contract/rights.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { fullName, shownAddress } from '#server/features/session/account-repository.ts'

/** @returns whether it was not granted before */
export const insertRight = async (tx: Queryable, webUserId: number, right: Right): Promise<boolean> =>
  (await tx.execute(sql`
    insert into office_rights (web_user_id, "right") values (${webUserId}, ${right}) on conflict do nothing`)) > 0

export const deleteRight = async (tx: Queryable, webUserId: number, right: Right): Promise<boolean> =>
  (await tx.execute(sql`delete from office_rights where web_user_id = ${webUserId} and "right" = ${right}`)) > 0

export const hasRights = async (tx: Queryable, webUserId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from office_rights where web_user_id = ${webUserId} limit 1`)) !== null

export const insertInvitedRights = (tx: Queryable, webUserId: number, rights: readonly Right[]): Promise<number> =>
  tx.execute(sql`
    insert into invited_rights (web_user_id, "right") select ${webUserId}, unnest(${[...rights]}::text[]) on conflict do nothing`)

export const listRightHolders = (
  db: Queryable,
): Promise<{ webUserId: number; name: string; email: string; rights: Right[]; passkeys: number }[]> =>
  db.query(sql`
    select u.id as "webUserId", ${fullName} as name, ${shownAddress} as email,
      array_agg(r."right" order by r."right") as rights, (select count(*) from passkeys p where p.web_user_id = u.id and p.is_vouched) as passkeys
    from office_rights r join web_users u on u.id = r.web_user_id where u.deleted_at is null
    group by u.id order by u.family_name, u.given_name, u.id`)

/** Rights that give access to the desk. */
export const countPasskeys = async (db: Queryable, webUserId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from passkeys where web_user_id = ${webUserId} and is_vouched`))
    .count

/**
 * Revokes the passkey confirmation of sessions.
 * @returns how many there were
 */
export async function deletePasskeys(tx: Queryable, webUserId: number): Promise<number> {
  await tx.execute(sql`update sessions set confirmed_at = null where web_user_id = ${webUserId}`)
  return tx.execute(sql`delete from passkeys where web_user_id = ${webUserId}`)
}

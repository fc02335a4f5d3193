import type { Right } from '#contract/rights.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { mayLogIn } from './account-repository.ts'

/** Serializes changes of rights until the transaction ends: of two owners who revoke each other one remains. */
export const lockRights = (tx: Queryable): Promise<number> =>
  tx.execute(sql`lock table office_rights in share row exclusive mode`)

/** Accounts that can log in and hold a right, without temporary rights granted by single sign-on. */
export const listHolders = async (db: Queryable, right: Right): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select u.id from office_rights r join web_users u on u.id = r.web_user_id
      where r."right" = ${right} and not r.is_by_claim and ${mayLogIn} and position('@' in u.email) > 0 order by 1`)
  ).map(({ id }) => id)

import { type Queryable, sql } from '#server/db/client.ts'

/** What the company's login gave ends: sessions, rights by claim, and the way in until the company has the person again. @returns how many */
export async function endCompanyAccess(tx: Queryable, webUserIds: number[]): Promise<number> {
  const left = await tx.query<{ id: number }>(sql`
    update company_accounts set left_at = clock_timestamp() where web_user_id = any(${webUserIds}::int[]) and left_at is null
    returning web_user_id as id`)
  const ids = left.map(({ id }) => id)
  await tx.execute(sql`delete from sessions where web_user_id = any(${ids}::int[]) and is_by_company`)
  await tx.execute(sql`delete from office_rights where web_user_id = any(${ids}::int[]) and is_by_claim`)
  return ids.length
}

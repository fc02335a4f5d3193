import { type Queryable, sql } from '#server/db/client.ts'

/** null: no instructor has this address */
export const findInstructorName = async (tx: Queryable, email: string): Promise<string | null> =>
  (
    await tx.maybeOne<{ name: string }>(sql`
      select concat_ws(' ', nullif(given_name, ''), family_name) as name from instructors where email = ${email}`)
  )?.name ?? null

/** The account with an instructor's address; null if there is none. */
export const findAccountId = async (tx: Queryable, email: string): Promise<number | null> =>
  (
    await tx.maybeOne<{ id: number }>(sql`
      select id from web_users where email = ${email} and deleted_at is null`)
  )?.id ?? null

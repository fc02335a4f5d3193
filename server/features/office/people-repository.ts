import type { StoredField } from '#contract/person.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { columnOf } from '#server/db/person-columns.ts'
import { deleteClaims } from '#server/features/accounts/claim-repository.ts'
import type { AccountState } from '#server/features/session/account-rules.ts'

type Values = Partial<Record<StoredField, string | number | null>>

export const findAccountState = async (tx: Queryable, webUserId: number): Promise<AccountState | null> =>
  (await tx.maybeOne<{ state: AccountState }>(sql`select state from web_users where id = ${webUserId}`))?.state ?? null

/** null when the account is gone */
export const findEmail = async (tx: Queryable, webUserId: number): Promise<string | null> =>
  (
    await tx.maybeOne<{ email: string }>(sql`
      select email from web_users where id = ${webUserId} and deleted_at is null`)
  )?.email ?? null

/** Somebody whom the department vouches for; a registration under the address that nobody proved makes way. */
export async function insertPersonRow(tx: Queryable, values: Values & { email: string }): Promise<number> {
  await deleteClaims(tx, [values.email])
  const fields = Object.keys(values) as StoredField[]
  const { id } = await tx.one<{ id: number }>(sql`
    insert into web_users (confirmed_at, known_at, ${sql.raw(fields.map(columnOf).join(', '))})
    values (clock_timestamp(), clock_timestamp(), ${sql.join(fields.map(field => sql`${values[field] ?? null}`))})
    returning id`)
  return id
}

export async function updatePersonRow(tx: Queryable, webUserId: number, values: Values): Promise<void> {
  const fields = Object.keys(values) as StoredField[]
  if (fields.length === 0) return
  await tx.execute(sql`select set_config('portal.actor', 'import', true)`)
  await tx.execute(sql`
    update web_users set ${sql.join(fields.map(field => sql`${sql.raw(columnOf(field))} = ${values[field] ?? null}`))}
    where id = ${webUserId} and deleted_at is null`)
}

/** An instructor is known by the address. */
export const moveInstructorEmail = (tx: Queryable, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    update instructors set email = ${to} where email = ${from} and not exists (select from instructors where email = ${to})`)

import type { StoredField } from '#contract/person.ts'
import { keysOf } from '#contract/records.ts'
import type { AccountState } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { columnOf } from '#server/db/person-columns.ts'
import { deleteClaims } from '#server/features/accounts/claim-repository.ts'

type Values = { [Field in StoredField]?: string | number | null | undefined }

export const findAccountState = async (tx: Queryable, webUserId: number): Promise<AccountState | null> =>
  (await tx.maybeOne<{ state: AccountState }>(sql`select state from web_users where id = ${webUserId}`))?.state ?? null

/** null when the account is gone */
export const findEmail = async (tx: Queryable, webUserId: number): Promise<string | null> =>
  (
    await tx.maybeOne<{ email: string }>(sql`
      select email from web_users where id = ${webUserId} and deleted_at is null`)
  )?.email ?? null

/** Somebody whom the department brings; an unproved registration makes way. @param isKnown vouched for, whatever the HR list says */
export async function insertPersonRow(
  tx: Queryable,
  values: Values & { email: string },
  isKnown = false,
): Promise<number> {
  await deleteClaims(tx, [values.email])
  const fields = keysOf(values)
  const { id } = await tx.one<{ id: number }>(sql`
    insert into web_users (confirmed_at, known_at, ${sql.raw(fields.map(columnOf).join(', '))})
    values (clock_timestamp(), case when ${isKnown} then clock_timestamp() end, ${sql.join(fields.map(field => sql`${values[field] ?? null}`))})
    returning id`)
  return id
}

/** Another status or number is not the one that was vouched for. */
export async function updatePersonRow(tx: Queryable, webUserId: number, values: Values): Promise<void> {
  const fields = keysOf(values)
  if (fields.length === 0) return
  const newValue = (field: StoredField) => (field in values ? sql`${values[field] ?? null}` : sql.raw(columnOf(field)))
  await tx.execute(sql`select set_config('portal.actor', 'import', true)`)
  await tx.execute(sql`
    update web_users set ${sql.join(fields.map(field => sql`${sql.raw(columnOf(field))} = ${values[field] ?? null}`))},
      known_at = case when (employee_status, personnel_number, owner_personnel_number) is not distinct from (
        ${newValue('employeeStatus')}::smallint, ${newValue('personnelNumber')}::text, ${newValue('ownerPersonnelNumber')}::text) then known_at end
    where id = ${webUserId} and deleted_at is null`)
}

/** Who has no address can get in nowhere. */
export const deletePassword = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    update web_users set password_hash = null, imported_password_hash = null, reset_password_hash = null, reset_expires_at = null
    where id = ${webUserId}`)

/** An instructor is known by the address. */
export const moveInstructorEmail = (tx: Queryable, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    update instructors set email = ${to} where email = ${from} and not exists (select from instructors where email = ${to})`)

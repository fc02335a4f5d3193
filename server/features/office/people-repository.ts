import type { StoredField } from '#contract/person.ts'
import { keysOf } from '#contract/records.ts'
import type { AccountState, Language } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { columnOf } from '#server/db/person-columns.ts'
import { deleteUnverifiedAccounts } from '#server/features/accounts/claim-repository.ts'

type Values = { [Field in StoredField]?: string | number | null | undefined }

export const findAccountState = async (tx: Queryable, webUserId: number): Promise<AccountState | null> =>
  (await tx.maybeOne<{ state: AccountState }>(sql`select state from web_users where id = ${webUserId}`))?.state ?? null

/** Somebody whom the department brings; an unproved registration makes way. @param isKnown vouched for, whatever the HR list says */
export async function insertPersonRow(
  tx: Queryable,
  values: Values & { email: string },
  isKnown = false,
): Promise<number> {
  await deleteUnverifiedAccounts(tx, [values.email])
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

export const updateLanguage = (tx: Queryable, webUserId: number, language: Language): Promise<number> =>
  tx.execute(sql`update web_users set language = ${language} where id = ${webUserId}`)

import type { ActOfKind } from '#contract/acts/acts.ts'
import { isOnPayroll, isPersonVerified } from '#server/features/session/account-repository.ts'
import { accountStatesPermitting } from '#server/features/session/rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

export type HrListRow = ActOfKind<'save-eligible'>['rows'][number]
/**
 * Personnel numbers to remove from the HR list. `but` removes all numbers except these and those maintained by SCIM.
 */
export type RemovedPersonnelNumbers = { numbers: readonly string[] } | { but: readonly string[] }

/**
 * SQL condition: HR list entry `e` is to be removed. A file upload does not remove entries maintained by SCIM. See
 * docs/decisions/0095.
 */
const isGone = (gone: RemovedPersonnelNumbers) =>
  'numbers' in gone
    ? sql`e.personnel_number = any(${gone.numbers}::text[])`
    : sql`not exists (select from unnest(${gone.but}::text[]) n where n = e.personnel_number)
        and not exists (select from scim_users s where s.personnel_number = e.personnel_number and s.is_active)`

export const countHrListEntries = async (tx: Queryable): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from eligible_people`)).count

export const lockHrList = (tx: Queryable) => tx.execute(sql`lock table eligible_people in share row exclusive mode`)

export const divisionsExist = async (tx: Queryable, divisions: readonly number[]): Promise<boolean> =>
  (
    await tx.query(sql`
      select d from unnest(${divisions}::int[]) d where not exists (select from divisions where id = d) limit 1`)
  ).length === 0

/**
 * Marks accounts as unverified if their personnel number is to be removed from the HR list.
 * @returns ids of the accounts
 */
export const markAccountsUnverified = (tx: Queryable, gone: RemovedPersonnelNumbers): Promise<{ id: number }[]> =>
  tx.query(sql`
    update web_users u set known_at = null, version = version + 1
    from eligible_people e
    where e.personnel_number = u.personnel_number and u.known_at is not null and ${isOnPayroll} and ${isGone(gone)}
    returning u.id`)

export async function saveHrListRows(
  tx: Queryable,
  rows: readonly HrListRow[],
  gone: RemovedPersonnelNumbers,
): Promise<void> {
  await tx.execute(sql`delete from eligible_people e where ${isGone(gone)}`)
  await tx.execute(sql`
    insert into eligible_people (personnel_number, division_id, employee_status)
    select * from unnest(${rows.map(({ personnelNumber }) => personnelNumber)}::text[],
      ${rows.map(({ divisionId }) => divisionId)}::int[], ${rows.map(({ employeeStatus }) => employeeStatus)}::smallint[])
    on conflict (personnel_number) do update set division_id = excluded.division_id, employee_status = excluded.employee_status`)
}

/**
 * Marks accounts with these personnel numbers as verified if they meet the conditions for verification.
 * @returns ids of the accounts
 */
export const markAccountsVerified = (tx: Queryable, numbers: readonly string[]): Promise<{ id: number }[]> =>
  tx.query(sql`
    update web_users u set known_at = clock_timestamp(), version = version + 1
    where u.known_at is null and u.personnel_number = any(${numbers}::text[]) and u.personnel_number <> ''
      and u.state = any(${accountStatesPermitting('holdAddress')}) and ${isPersonVerified}
    returning u.id`)

/**
 * Revokes sessions and permissions granted through single sign-on, and blocks single sign-on until the company lists
 * the person again.
 * @returns number of people
 */
export async function endCompanyAccess(tx: Queryable, webUserIds: number[]): Promise<number> {
  const left = await tx.query<{ id: number }>(sql`
    update company_accounts set left_at = clock_timestamp() where web_user_id = any(${webUserIds}::int[]) and left_at is null
    returning web_user_id as id`)
  const ids = left.map(({ id }) => id)
  await tx.execute(sql`delete from sessions where web_user_id = any(${ids}::int[]) and is_by_company`)
  await tx.execute(sql`delete from office_rights where web_user_id = any(${ids}::int[]) and is_by_claim`)
  return ids.length
}

type ListedNumber = {
  personnelNumber: string
  divisionId: number | null
  employeeStatus: number | null
  webUserId: number | null
}
/**
 * Lists entries of the HR list.
 * @param after last personnel number of the previous page (keyset pagination)
 */
export const listHrListEntries = (db: Queryable, { limit, after }: KeysetPage<string>): Promise<ListedNumber[]> =>
  db.query(sql`
    select e.personnel_number as "personnelNumber", e.division_id as "divisionId", e.employee_status as "employeeStatus", (
      select u.id from web_users u where u.personnel_number = e.personnel_number and u.personnel_number <> '' and u.state = any(${accountStatesPermitting('holdAddress')}) and ${isOnPayroll}
      order by u.known_at is null, u.id limit 1) as "webUserId"
    from eligible_people e where e.personnel_number > ${after} order by e.personnel_number limit ${limit + 1}`)

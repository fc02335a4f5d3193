import type { ActOf } from '#contract/acts/acts.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { isOnPayroll, isVerified } from '#server/features/session/account-repository.ts'
import { statesWith } from '#server/features/session/account-rules.ts'

export type EligibleRow = ActOf<'save-eligible'>['rows'][number]
/** Numbers that are not on the HR list any more; `but`: all of them that no other program holds, except these. */
export type GoneNumbers = { numbers: readonly string[] } | { but: readonly string[] }

/** What a program keeps by SCIM is not for a file to end. See docs/decisions/0095. */
const isGone = (gone: GoneNumbers) =>
  'numbers' in gone
    ? sql`e.personnel_number = any(${gone.numbers}::text[])`
    : sql`not exists (select from unnest(${gone.but}::text[]) n where n = e.personnel_number)
        and not exists (select from scim_users s where s.personnel_number = e.personnel_number and s.is_active)`

export const countEligible = async (tx: Queryable): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from eligible_people`)).count

export const lockEligible = (tx: Queryable) => tx.execute(sql`lock table eligible_people in share row exclusive mode`)

export const hasDivisions = async (tx: Queryable, divisions: readonly number[]): Promise<boolean> =>
  (
    await tx.query(sql`
      select d from unnest(${divisions}::int[]) d where not exists (select from divisions where id = d) limit 1`)
  ).length === 0

/** @returns whose number it is */
export const updateUnverified = (tx: Queryable, gone: GoneNumbers): Promise<{ id: number }[]> =>
  tx.query(sql`
    update web_users u set known_at = null, version = version + 1
    from eligible_people e
    where e.personnel_number = u.personnel_number and u.known_at is not null and ${isOnPayroll} and ${isGone(gone)}
    returning u.id`)

export async function saveRows(tx: Queryable, rows: readonly EligibleRow[], gone: GoneNumbers): Promise<void> {
  await tx.execute(sql`delete from eligible_people e where ${isGone(gone)}`)
  await tx.execute(sql`
    insert into eligible_people (personnel_number, division_id, employee_status)
    select * from unnest(${rows.map(({ personnelNumber }) => personnelNumber)}::text[],
      ${rows.map(({ divisionId }) => divisionId)}::int[], ${rows.map(({ employeeStatus }) => employeeStatus)}::smallint[])
    on conflict (personnel_number) do update set division_id = excluded.division_id, employee_status = excluded.employee_status`)
}

/** @returns whose number it is */
export const updateVerified = (tx: Queryable, numbers: readonly string[]): Promise<{ id: number }[]> =>
  tx.query(sql`
    update web_users u set known_at = clock_timestamp(), version = version + 1
    where u.known_at is null and u.personnel_number = any(${numbers}::text[]) and u.personnel_number <> ''
      and u.state = any(${statesWith('holdAddress')}) and ${isVerified}
    returning u.id`)

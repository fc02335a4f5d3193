import { sql } from '#server/db/client.ts'
import { statesWith } from '#server/features/session/account-rules.ts'
import type { ActHandler } from '../desk-service.ts'
import { endCompanyAccess } from '../leaver-repository.ts'
import { isOnPayroll, isVerified } from '../person-repository.ts'

/** The HR list, replaced as a whole: whoever is no longer on it becomes unverified. */
export const saveEligible: ActHandler<'save-eligible'> = async (desk, { rows }) => {
  const { tx } = desk
  const numbers = rows.map(({ personnelNumber }) => personnelNumber)
  const seen = new Set<string>()
  const twice = numbers.find(number => seen.has(number) || !seen.add(number))
  if (twice !== undefined) desk.fail('failed.numberTwice', { number: twice })
  const divisions = rows.flatMap(({ divisionId }) => divisionId ?? [])
  const unknown = await tx.query(sql`
    select d from unnest(${divisions}::int[]) d where not exists (select from divisions where id = d) limit 1`)
  if (unknown.length > 0) desk.fail('unknown.divisions')
  await tx.execute(sql`lock table eligible_people in share row exclusive mode`)
  const { before } = await tx.one<{ before: number }>(sql`select count(*) as before from eligible_people`)
  const dropped = await tx.query<{ id: number }>(sql`
    update web_users u set known_at = null, version = version + 1
    from eligible_people e
    where e.personnel_number = u.personnel_number and u.known_at is not null and ${isOnPayroll}
      and not exists (select from unnest(${numbers}::text[]) n where n = e.personnel_number)
    returning u.id`)
  // Who came in by the company's login stays out until the list has the number again.
  const left = await endCompanyAccess(
    tx,
    dropped.map(({ id }) => id),
  )
  await tx.execute(sql`delete from eligible_people`)
  await tx.execute(sql`
    insert into eligible_people (personnel_number, division_id, employee_status)
    select * from unnest(${numbers}::text[], ${rows.map(({ divisionId }) => divisionId)}::int[],
      ${rows.map(({ employeeStatus }) => employeeStatus)}::smallint[])`)
  const verified = await tx.query<{ id: number }>(sql`
    update web_users u set known_at = clock_timestamp(), version = version + 1
    where u.known_at is null and u.state = any(${statesWith('holdAddress')}) and ${isVerified}
    returning u.id`)
  desk.concern({ people: [...dropped, ...verified].map(({ id }) => id) })
  desk.note({
    before: { rows: before },
    after: { rows: rows.length, unverified: dropped.length, verified: verified.length, left },
  })
  return { unverified: dropped.length, verified: verified.length }
}

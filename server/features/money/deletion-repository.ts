import { type Queryable, sql } from '#server/db/client.ts'
import { intervalOf } from '#server/db/interval.ts'
import { isVerified } from '#server/features/session/account-repository.ts'

/** Courses with a booking of the person that have no settlement. */
export const listUnsettledCourses = async (tx: Queryable, webUserId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select distinct b.course_id as id from bookings b
      where b.web_user_id = ${webUserId} and not exists (select from settlements s where s.course_id = b.course_id)`)
  ).map(({ id }) => id)

/** Copies name, address and number to the ledger accounts of a person with entries, and removes the link to the person. */
export const detachAccounts = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    with owed as (
      select a.id, max(e.made_at) as last_at from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.web_user_id = ${webUserId} group by 1
    ), person as (
      select u.*, ${isVerified} as is_verified from web_users u where u.id = ${webUserId}
    ), kept as (
      update ledger_accounts a set web_user_id = null,
        name = concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name), street = u.street, zip = u.zip, city = u.city,
        personnel_number = u.personnel_number, billing_type = u.billing_type, division_id = u.division_id, is_verified = u.is_verified,
        ends_on = (o.last_at + ${intervalOf('billing')}::interval)::date
      from owed o, person u where a.id = o.id
    )
    update ledger_accounts a set web_user_id = null
    where a.web_user_id = ${webUserId} and not exists (select from owed o where o.id = a.id)`)

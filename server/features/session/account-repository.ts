import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import { type ProfileValues, STORED_PROFILE_FIELDS, type StoredProfileField } from '#contract/tables/person.ts'
import type { Right } from '#contract/values.ts'
import { type AccountState, EMPLOYEE_STATUS } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { columnOfProfileField } from '#server/platform/db/person-columns.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { accountStatesPermitting } from './rules.ts'

const { Employee, Apprentice, Pensioner } = EMPLOYEE_STATUS

/** Profile as stored, with `''`, null or the year 1900 for missing values. */
export type StoredProfile = Pick<ProfileValues, StoredProfileField> & { yearOfBirth: number }
/** Columns of fields that are stored without conversion. */
export const UNCONVERTED_PROFILE_COLUMNS = STORED_PROFILE_FIELDS.flatMap(field =>
  field === 'email' || field === 'yearOfBirth' ? [] : [[field, columnOfProfileField(field)] as const],
)

/** SQL condition on person `u`: the account state permits sessions. */
export const mayLogIn = sql`u.state = any(${accountStatesPermitting('logIn')})`

/** SQL condition: person `u` has an employee status with a personnel number, so fees can be deducted from their pay. */
export const isOnPayroll = sql`coalesce(u.employee_status in (${Employee}, ${Apprentice}, ${Pensioner}), false)`

/**
 * SQL condition on person `u`: verified by the department or on the HR list. A number on the list applies to the
 * verified account that has it, or to the oldest account if none is verified. See docs/decisions/0095.
 */
export const isPersonVerified = sql`(u.known_at is not null or (${isOnPayroll} and exists (
    select from eligible_people e where e.personnel_number = u.personnel_number
      and (e.employee_status is null or e.employee_status = u.employee_status)
      and (e.division_id is null or u.division_id is null or e.division_id = u.division_id))
  and not exists (
    select from web_users o where o.personnel_number = u.personnel_number and o.personnel_number <> '' and o.id <> u.id and o.state = any(${accountStatesPermitting('holdAddress')})
      and o.employee_status in (${Employee}, ${Apprentice}, ${Pensioner}) and (o.known_at is not null or o.id < u.id))))`

/**
 * SQL condition: an HR list exists, maintained by staff, by import or through SCIM. Without an HR list, the
 * self-declared employee status is accepted.
 */
export const hasHrList = sql`(exists (select from eligible_people) or exists (select from scim_users))`

/** SQL for the given and family names of person `u`. */
export const fullName = sql`btrim(u.given_name || ' ' || u.family_name)`

/** SQL for the phone number at which person `u` is reached most easily; '' if there is none. */
export const phoneNumber = sql`coalesce(nullif(u.mobile_phone, ''), nullif(u.private_phone, ''), u.business_phone)`

/**
 * SQL for the e-mail address of person `u`; '' if there is none, in which case the unique column contains a placeholder
 * without `@`.
 */
export const emailOrEmpty = sql`case when position('@' in u.email) > 0 then u.email else '' end`

/** Finds a profile; null if the account was deleted. */
export const findProfile = (db: Queryable, webUserId: number): Promise<StoredProfile | null> =>
  db.maybeOne(sql`
    select ${emailOrEmpty} as email, coalesce(year_of_birth, ${YEAR_OF_BIRTH_UNSET}) as "yearOfBirth",
      ${sql.raw(UNCONVERTED_PROFILE_COLUMNS.map(([field, column]) => `${column} as "${field}"`).join(', '))}
    from web_users u where id = ${webUserId} and deleted_at is null`)

export type Account = { id: number; email: string; passwordHash: string | null; state: AccountState }

const account = sql`id, email, password_hash as "passwordHash", state`

export const findAccount = (db: Queryable, email: string): Promise<Account | null> =>
  db.maybeOne(sql`select ${account} from web_users where email = ${email}`)

/**
 * Locks the account's row until the transaction ends, which blocks all other actions by the person; null if the account
 * was deleted.
 */
export const lockAccount = (tx: Queryable, webUserId: number): Promise<Account | null> =>
  tx.maybeOne(sql`select ${account} from web_users where id = ${webUserId} and deleted_at is null for update`)

/**
 * Serializes changes to rights until the transaction ends. If two owners revoke each other's right, one of them remains
 * an owner.
 */
export const lockRights = (tx: Queryable): Promise<number> =>
  tx.execute(sql`lock table office_rights in share row exclusive mode`)

/**
 * SQL for all rights of accounts: those that are held, and pending ones of invited people (`is_pending`), which the first
 * login turns into held ones unless the invitation has expired.
 */
export const accountRights = sql`(
  select web_user_id, "right", false as is_pending, is_by_claim, granted_at as since from office_rights
  union all
  select web_user_id, "right", true, false, invited_at from invited_rights
  where invited_at > clock_timestamp() - ${retentionIntervalOf('unactivated')}::interval)`

/** SQL for the rights of person `u` that are held (or pending, if `isPending`), in alphabetical order. */
export const rightsOf = (isPending: boolean) => sql`array(
  select r."right" from ${accountRights} r where r.web_user_id = u.id and r.is_pending = ${isPending} order by 1)`

/** Accounts that hold a right and can log in. Temporary rights from single sign-on are not included. */
export const listRightHolderIds = async (db: Queryable, right: Right): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select u.id from office_rights r join web_users u on u.id = r.web_user_id
      where r."right" = ${right} and not r.is_by_claim and ${mayLogIn} and position('@' in u.email) > 0 order by 1`)
  ).map(({ id }) => id)

/**
 * Owners, one of whom must remain: those who have proved their e-mail address, because nobody may be able to open the
 * mailbox of an address that only the department has entered. If there are none, the others.
 */
export async function listRemainingOwners(db: Queryable): Promise<{ ids: number[]; areProved: boolean }> {
  const ids = await listRightHolderIds(db, 'owner')
  const proved = await db.query<{ id: number }>(sql`
    select u.id from web_users u where u.id = any(${ids}::int[]) and not u.is_address_unproved`)
  return proved.length > 0 ? { ids: proved.map(({ id }) => id), areProved: true } : { ids, areProved: false }
}

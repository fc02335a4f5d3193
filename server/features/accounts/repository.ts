import type { Division } from '#contract/endpoints/accounts.ts'
import type { ConsentKind, GivenConsent } from '#contract/rules/consent-rules.ts'
import { YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import {
  findAccount,
  findProfile,
  type StoredProfile,
  UNCONVERTED_PROFILE_COLUMNS,
} from '#server/features/session/account-repository.ts'
import { accountStatesPermitting } from '#server/features/session/rules.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { SECURITY_NOTICE_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'
import { EMAIL_CHANGE_UNDO_DAYS } from './rules.ts'

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

/** Consents of a person, newest first. */
export const listConsents = (db: Queryable, webUserId: number): Promise<GivenConsent[]> =>
  db.query(sql`
    select kind, version, ${at(sql`given_at`)} as "givenAt", ${at(sql`withdrawn_at`)} as "withdrawnAt"
    from consents where web_user_id = ${webUserId} order by id desc`)

/** Stores a consent. Idempotent; consent to a newer version of the text is kept. */
export const insertConsent = (
  tx: Queryable,
  webUserId: number,
  { kind, version }: Pick<GivenConsent, 'kind' | 'version'>,
): Promise<number> =>
  tx.execute(sql`
    insert into consents (web_user_id, kind, version)
    select ${webUserId}, ${kind}, ${version} where not exists (
      select from consents
      where web_user_id = ${webUserId} and kind = ${kind} and version::int >= ${version}::int and withdrawn_at is null)
    on conflict do nothing`)

/**
 * Withdraws a person's consent.
 * @returns 0 if the person had not given this consent
 */
export const updateConsentWithdrawn = (tx: Queryable, webUserId: number, kind: ConsentKind): Promise<number> =>
  tx.execute(sql`
    update consents set withdrawn_at = clock_timestamp()
    where web_user_id = ${webUserId} and kind = ${kind} and withdrawn_at is null`)

export const clearInsuranceNumber = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`update web_users set bkk_number = '' where id = ${webUserId}`)

/**
 * Deletes attendance in health courses that are not settled yet. Attendance used by a settlement is retained as
 * evidence for the bill.
 */
export const deleteHealthCourseAttendance = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    with lesson as (
      select d.id from course_dates d join courses c on c.id = d.course_id
      where c.central_test_institute <> '' and not exists (select from settlements s where s.course_id = c.id)
    ), change as (
      delete from attendance_changes where web_user_id = ${webUserId} and course_date_id in (select id from lesson)
    )
    delete from attendances where web_user_id = ${webUserId} and course_date_id in (select id from lesson)`)

const HOLDING_STATES = accountStatesPermitting('holdAddress')

export const listDivisions = (db: Queryable): Promise<Pick<Division, 'id' | 'name'>[]> =>
  db.query(sql`select id, name from divisions order by name, id`)

/** Data for form validation: the current calendar year in the portal's time zone, and whether the division exists. */
export const findFormValidationData = (
  db: Queryable,
  divisionId: number | null,
): Promise<{ currentYear: number; isDivisionThere: boolean }> =>
  db.one(sql`
    select extract(year from current_date) as "currentYear",
      exists (select from divisions where id = ${divisionId}) as "isDivisionThere"`)

/** Finds the unverified registration for an e-mail address; null if there is none. */
export async function findUnverifiedAccount(
  db: Queryable,
  email: string,
): Promise<{ passwordHash: string | null; profile: StoredProfile } | null> {
  const account = await findAccount(db, email)
  const profile = account?.state === 'claimed' ? await findProfile(db, account.id) : null
  return account && profile && { passwordHash: account.passwordHash, profile }
}

/** SQL condition: an undo link can still restore this e-mail address to an account other than `butWebUserId`. */
const isEmailReserved = (email: SqlFragment, butWebUserId: number | null = null): SqlFragment => sql`(exists (
  select from account_tokens
  where purpose in ('undo', 'merge') and new_email = ${email} and expires_at > clock_timestamp()
    and web_user_id is distinct from ${butWebUserId}
) or exists (
  select from mails
  where recipient = ${email} and kind = any(${SECURITY_NOTICE_MAIL_KINDS}) and sent_at is null
    and created_at > clock_timestamp() - ${EMAIL_CHANGE_UNDO_DAYS} * interval '1 day' and web_user_id <> ${butWebUserId ?? 0}))`

/** Those of the e-mail addresses that no account has, but that an undo link can still restore. */
export const listReservedEmails = async (db: Queryable, emails: readonly string[]): Promise<string[]> =>
  (
    await db.query<{ email: string }>(sql`
      select g.email from (select distinct unnest(${[...emails]}::text[]) as email) g
      where not exists (select from web_users u where u.email = g.email and u.state = any(${HOLDING_STATES}))
        and ${isEmailReserved(sql`g.email`)} order by g.email`)
  ).map(({ email }) => email)

/**
 * Whether an account uses the e-mail address, or used it until so recently that an undo link can still restore it.
 * @param butWebUserId account to ignore
 */
export const isEmailInUse = async (
  db: Queryable,
  email: string,
  butWebUserId: number | null = null,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select where exists (
      select from web_users
      where email = ${email} and state = any(${HOLDING_STATES}) and id is distinct from ${butWebUserId}
    ) or ${isEmailReserved(sql`${email}`, butWebUserId)}`)) !== null

/**
 * Updates all fields except the e-mail address. A change to status or personnel number clears the department's
 * verification of them.
 * @returns 0 if the account was deleted
 */
export const updateProfile = (tx: Queryable, webUserId: number, profile: StoredProfile): Promise<number> =>
  tx.execute(sql`
    update web_users set year_of_birth = nullif(${profile.yearOfBirth}::int, ${YEAR_OF_BIRTH_UNSET}), known_at = case
        when (employee_status, personnel_number, owner_personnel_number) is not distinct from
          (${profile.employeeStatus}, ${profile.personnelNumber}, ${profile.ownerPersonnelNumber}) then known_at end,
      ${sql.join(UNCONVERTED_PROFILE_COLUMNS.map(([field, column]) => sql`${sql.raw(column)} = ${profile[field]}`))}
    where id = ${webUserId} and deleted_at is null`)

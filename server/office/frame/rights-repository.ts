import type { ItemOf } from '#contract/endpoint.ts'
import type { listRights } from '#contract/office/office.ts'
import type { AccountState, Right } from '#contract/values.ts'
import { accountRights, emailOrEmpty, fullName, rightsOf } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { byName } from '#server/platform/db/name-order.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

/**
 * Grants a permission.
 * @returns whether the person did not have it before
 */
export const insertRight = async (tx: Queryable, webUserId: number, right: Right): Promise<boolean> =>
  (await tx.execute(sql`
    insert into office_rights (web_user_id, "right") values (${webUserId}, ${right}) on conflict do nothing`)) > 0

/**
 * Deletes a right, held or pending.
 * @returns whether the person had it, and whether only as an invited person
 */
export async function deleteRight(
  tx: Queryable,
  webUserId: number,
  right: Right,
): Promise<{ isHeld: boolean; isPending: boolean }> {
  const from = (table: string) =>
    tx.execute(sql`delete from ${sql.raw(table)} where web_user_id = ${webUserId} and "right" = ${right}`)
  return { isHeld: (await from('office_rights')) > 0, isPending: (await from('invited_rights')) > 0 }
}

/** Whether the person holds a right, or will after the first login. */
export const hasRights = async (tx: Queryable, webUserId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from ${accountRights} r where web_user_id = ${webUserId} limit 1`)) !== null

export const insertPendingRights = (tx: Queryable, webUserId: number, rights: readonly Right[]): Promise<number> =>
  tx.execute(sql`
    insert into invited_rights (web_user_id, "right") select ${webUserId}, unnest(${[...rights]}::text[]) on conflict do nothing`)

/** People with rights. `pending`: rights of an invitation that the person has not accepted by logging in */
export const listRightHolders = (
  db: Queryable,
  { limit, after }: KeysetPage<number>,
): Promise<ItemOf<typeof listRights>[]> =>
  db.query(sql`
    select u.id as "webUserId", ${fullName} as name, ${emailOrEmpty} as email, ${rightsOf(false)} as rights, ${rightsOf(true)} as pending,
      (select count(*) from passkeys p where p.web_user_id = u.id and p.is_vouched) as passkeys
    from web_users u where u.deleted_at is null and u.id in (select web_user_id from ${accountRights} r)
      and (${after} = 0 or (${byName('u')}, u.id) > (
        select ${byName('p')}, p.id from web_users p where p.id = ${after}))
    order by ${byName('u')}, u.id limit ${limit + 1}`)

/** Number of the person's passkeys that are accepted for the office UI. */
export const countPasskeys = async (db: Queryable, webUserId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from passkeys where web_user_id = ${webUserId} and is_vouched`))
    .count

/**
 * Deletes a person's passkeys and revokes the passkey confirmations of their sessions.
 * @returns number of deleted passkeys
 */
export async function deletePasskeys(tx: Queryable, webUserId: number): Promise<number> {
  await tx.execute(sql`update sessions set confirmed_at = null where web_user_id = ${webUserId}`)
  return tx.execute(sql`delete from passkeys where web_user_id = ${webUserId}`)
}

export type AffectedAccount = {
  id: number
  name: string
  email: string
  state: AccountState
  rights: Right[]
  isInstructor: boolean
}

/** Accounts that an action affects. `rights` includes the permissions of a pending invitation. */
export const listAffectedAccounts = (tx: Queryable, ids: readonly number[]): Promise<AffectedAccount[]> =>
  tx.query(sql`
    select u.id, ${fullName} as name, u.email, u.state, exists (select from instructors i where i.email = u.email) as "isInstructor", array(
        select distinct r."right" from ${accountRights} r where r.web_user_id = u.id order by 1) as rights
    from web_users u where u.id = any(${[...ids]}::int[]) order by u.id`)

export type HeldRight = { webUserId: number; name: string; right: Right }

/** Granted or pending permissions of all accounts, except temporary ones from single sign-on. */
export const listHeldRights = (tx: Queryable): Promise<HeldRight[]> =>
  tx.query(sql`
    select distinct u.id as "webUserId", coalesce(nullif(${fullName}, ''), u.email) as name, r."right"
    from web_users u join ${accountRights} r on r.web_user_id = u.id and not r.is_by_claim`)

export type TeachingAssignment = {
  /** null: the person has an instructor profile, but this entry is not about a course */
  courseId: number | null
  course: string
  /** whether the course belongs to a draft season */
  isDraft: boolean
  email: string
  name: string
  /** null: no account has this e-mail address */
  webUserId: number | null
}

/** Instructors of courses or single lessons, and people with an instructor profile. */
export const listTeachingAssignments = (tx: Queryable): Promise<TeachingAssignment[]> =>
  tx.query(sql`
    with taught as (
      select course_id, email from course_instructors
      union select course_id, instructor_email from course_dates where instructor_email is not null
      union select null, email from instructors)
    select t.course_id as "courseId", coalesce(c.name || ' (' || c.number || ')', '') as course,
      coalesce(s.is_draft, false) as "isDraft", t.email,
      concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name,
      (select u.id from web_users u where u.email = t.email and u.deleted_at is null and u.state <> 'claimed') as "webUserId"
    from taught t join instructors i on i.email = t.email left join courses c on c.id = t.course_id
      left join seasons s on s.id = c.season_id
    order by c.id, t.email`)

/** Whether a webhook already sends to this URL. */
export const isWebhookUrlKnown = async (tx: Queryable, url: string): Promise<boolean> =>
  (await tx.maybeOne(sql`select from webhooks where url = ${url} limit 1`)) !== null

export const findPersonName = async (tx: Queryable, webUserId: number): Promise<string> =>
  (
    await tx.maybeOne<{ name: string }>(sql`
      select coalesce(nullif(${fullName}, ''), u.email) as name from web_users u where u.id = ${webUserId}`)
  )?.name ?? ''

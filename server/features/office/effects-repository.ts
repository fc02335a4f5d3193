import type { Right } from '#contract/rights.ts'
import type { AccountState } from '#contract/values.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import { fullName } from '#server/features/session/account-repository.ts'

export type Subject = { id: number; name: string; email: string; state: AccountState; rights: Right[] }

/** Accounts affected by an act. `rights` includes those of a pending invitation. */
export const listSubjects = (tx: Queryable, ids: readonly number[]): Promise<Subject[]> =>
  tx.query(sql`
    select u.id, ${fullName} as name, u.email, u.state, array(
        select r."right" from office_rights r where r.web_user_id = u.id
        union select i."right" from invited_rights i where i.web_user_id = u.id order by 1) as rights
    from web_users u where u.id = any(${[...ids]}::int[]) order by u.id`)

export type HeldRight = { webUserId: number; name: string; right: Right }

/** Granted or pending rights of accounts, without temporary ones granted by single sign-on. */
export const listHeldRights = (tx: Queryable): Promise<HeldRight[]> =>
  tx.query(sql`
    select u.id as "webUserId", coalesce(nullif(${fullName}, ''), u.email) as name, h."right" from web_users u join (
      select web_user_id, "right" from office_rights where not is_by_claim
      union select web_user_id, "right" from invited_rights) h on h.web_user_id = u.id`)

export type Teaching = {
  /** null: only the instructor profile, no course */
  courseId: number | null
  course: string
  email: string
  name: string
  /** null: no account has the address */
  webUserId: number | null
}

/** Who instructs which courses or single lessons, and who has an instructor profile. */
export const listTeaching = (tx: Queryable): Promise<Teaching[]> =>
  tx.query(sql`
    with taught as (
      select course_id, email from course_instructors
      union select course_id, instructor_email from course_dates where instructor_email is not null
      union select null, email from instructors)
    select t.course_id as "courseId", coalesce(c.name || ' (' || c.number || ')', '') as course, t.email,
      concat_ws(' ', nullif(i.given_name, ''), i.family_name) as name,
      (select u.id from web_users u where u.email = t.email and u.deleted_at is null and u.state <> 'claimed') as "webUserId"
    from taught t join instructors i on i.email = t.email left join courses c on c.id = t.course_id
    order by c.id, t.email`)

export const findName = async (tx: Queryable, webUserId: number): Promise<string> =>
  (
    await tx.maybeOne<{ name: string }>(sql`
      select coalesce(nullif(${fullName}, ''), u.email) as name from web_users u where u.id = ${webUserId}`)
  )?.name ?? ''

import type { ConsentKind, GivenConsent } from '#contract/consent-kinds.ts'
import { type Queryable, sql } from '#server/db/client.ts'

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

/** The newest first. */
export const listConsents = (db: Queryable, webUserId: number): Promise<GivenConsent[]> =>
  db.query(sql`
    select kind, version, ${at(sql`given_at`)} as "givenAt", ${at(sql`withdrawn_at`)} as "withdrawnAt"
    from consents where web_user_id = ${webUserId} order by id desc`)

/** Idempotent; consent to a newer version of the text stays. */
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

/** @returns 0 without a consent */
export const updateWithdrawn = (tx: Queryable, webUserId: number, kind: ConsentKind): Promise<number> =>
  tx.execute(sql`
    update consents set withdrawn_at = clock_timestamp()
    where web_user_id = ${webUserId} and kind = ${kind} and withdrawn_at is null`)

export const clearInsuranceNumber = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`update web_users set bkk_number = '' where id = ${webUserId}`)

/** Attendance in health courses that are not settled; what a settlement used remains as evidence of the bill. */
export const deleteHealthAttendance = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    with lesson as (
      select d.id from course_dates d join courses c on c.id = d.course_id
      where c.central_test_institute <> '' and not exists (select from settlements s where s.course_id = c.id)
    ), change as (
      delete from attendance_changes where web_user_id = ${webUserId} and course_date_id in (select id from lesson)
    )
    delete from attendances where web_user_id = ${webUserId} and course_date_id in (select id from lesson)`)

import type { CertificateDetails } from '#contract/endpoints/certificates.ts'
import { BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'
import { instructorNames } from '#server/features/courses/repository.ts'
import { belongsToLesson } from '#server/features/lessons/participant-repository.ts'
import { lessonEnd } from '#server/features/lessons/repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'

/** SQL that decodes the payload of a compact JWS as jsonb. */
const payloadOf = (jws: SqlFragment): SqlFragment => sql`
  convert_from(decode(rpad(translate(split_part(${jws}, '.', 2), '-_', '+/'),
    (length(split_part(${jws}, '.', 2)) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb`

/**
 * SQL for what the certificate for each matching booking would state if it were issued now. Lessons are counted as in a
 * settlement (money.md rule 4), except that excused lessons and shift certificates have no effect.
 * @param condition condition on the booking `b`
 */
const factsNow = (condition: SqlFragment): SqlFragment => sql`
  select b.id as booking_id, b.web_user_id, coalesce(b.employee_status, u.employee_status) = ${EMPLOYEE_STATUS.HealthInsurance} as is_insured,
    l.held > 0 and l.attended * 100 >= l.held * c.certificate_share as is_earned, jsonb_build_object(
      'name', concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name), 'course', c.name, 'courseNumber', c.number,
      'institute', c.central_test_institute, 'firstDay', l.first_day, 'lastDay', l.last_day, 'attended', l.attended, 'held', l.held,
      'minutes', l.minutes, 'lessonMinutes', l.lesson_minutes, 'instructor', ${instructorNames}, 'amount', (
        select coalesce(sum(e.cents), 0) / 100.0 from ledger_entries e where e.booking_id = b.id)) as facts
  from bookings b join web_users u on u.id = b.web_user_id join courses c on c.id = b.course_id cross join lateral (
    select min(held_at)::date as first_day, max(held_at)::date as last_day, count(*) as held, count(*) filter (where is_present) as attended,
      coalesce(sum(minutes) filter (where is_present), 0) as minutes,
      case when min(minutes) = max(minutes) then min(minutes) else 0 end as lesson_minutes
    from (
      select d.held_at, round(extract(epoch from ${lessonEnd} - d.held_at) / 60)::int as minutes, coalesce(a.is_present, false) as is_present
      from course_dates d left join attendances a on a.course_date_id = d.id and a.web_user_id = b.web_user_id
      where d.course_id = c.id and d.state = 'planned' and not d.is_excluded and ${belongsToLesson}
        and exists (select from attendances r where r.course_date_id = d.id and r.is_present is not null)
    ) lesson
  ) l
  where b.state = ${BOOKING_STATUS.Booked} and b.cancelled_at is null and c.cancelled_at is null and c.central_test_institute <> ''
    and u.deleted_at is null and ${condition}`

/** SQL for the name of the course of a booking in the second language. */
const course2Of = (bookingId: SqlFragment): SqlFragment => sql`(
  select n.name2 from bookings k join courses n on n.id = k.course_id where k.id = ${bookingId})`

/** A booking for which a certificate can be issued. */
export type CertifiableBooking = {
  bookingId: number
  webUserId: number
  isEarned: boolean
  isInsured: boolean
  facts: CertificateDetails
  /** name of the course in the second language; the certificate has the first one */
  course2: string
  /** code of the valid certificate; null if there is none */
  code: string | null
  /** version of the latest certificate; 0 if none was ever issued */
  version: number
  /** whether the department has revoked the latest certificate */
  isWithdrawn: boolean
}

export const listCertifiableBookings = (tx: Queryable, courseId: number): Promise<CertifiableBooking[]> =>
  tx.query(sql`
    select f.booking_id as "bookingId", f.web_user_id as "webUserId", f.is_earned as "isEarned", f.is_insured as "isInsured", f.facts,
      case when l.revoked_at is null then l.code end as code, coalesce(l.version, 0) as version,
      coalesce(l.is_withdrawn, false) as "isWithdrawn", ${course2Of(sql`f.booking_id`)} as course2
    from (${factsNow(sql`b.course_id = ${courseId}`)}) f left join lateral (
      select * from certificates where booking_id = f.booking_id order by version desc limit 1) l on true
    order by f.booking_id`)

/**
 * Numbers of insured members by course who have earned a certificate that was neither issued nor revoked. Others get one
 * on request only.
 */
export const countDueCertificates = async (db: Queryable, courseIds: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (
      await db.query<{ courseId: number; count: number }>(sql`
        select b.course_id as "courseId", count(*)::int as count
        from (${factsNow(sql`b.course_id = any(${[...courseIds]}::int[])`)}) f join bookings b on b.id = f.booking_id
          left join lateral (select * from certificates where booking_id = f.booking_id order by version desc limit 1) l on true
        where f.is_earned and f.is_insured and (l.code is null or l.revoked_at is not null and not l.is_withdrawn) group by 1`)
    ).map(({ courseId, count }) => [courseId, count]),
  )

/**
 * Course or person whose certificates are compared with the current data; null: all courses that ended within the past
 * year.
 */
export type CertificateScope = { courseId: number } | { webUserId: number } | null

const conditionOf = (scope: CertificateScope): SqlFragment => {
  if (scope === null)
    return sql`exists (select from courses r where r.id = b.course_id and r.ends_on > current_date - 366)`
  return 'courseId' in scope ? sql`b.course_id = ${scope.courseId}` : sql`b.web_user_id = ${scope.webUserId}`
}

/**
 * A valid certificate whose content no longer matches the current data. Those of an account that was merged into another
 * one stay as they are until both people agree or the accounts are separated.
 */
export type OutdatedCertificate = {
  code: string
  version: number
  bookingId: number
  webUserId: number
  course: string
  course2: string
  /** content of a certificate issued now; null if it is no longer earned */
  facts: CertificateDetails | null
}

const outdated = (condition: SqlFragment): SqlFragment => sql`
  select o.code, o.version, o.booking_id as "bookingId", d.web_user_id as "webUserId",
    ${payloadOf(sql`d.jws`)} ->> 'course' as course, ${course2Of(sql`o.booking_id`)} as course2,
    case when f.is_earned then f.facts end as facts
  from certificates o join certificate_documents d using (code) join bookings b on b.id = o.booking_id
    left join lateral (${factsNow(sql`b.id = o.booking_id`)}) f on true
  where o.revoked_at is null and ${condition} and not exists (select from merges m where m.from_id = d.web_user_id)
    and (f.is_earned is not true or f.web_user_id <> d.web_user_id
    or f.facts <> ${payloadOf(sql`d.jws`)} - array['jti', 'version', 'issued'])
  order by o.booking_id`

export const listOutdatedCertificates = (tx: Queryable, scope: CertificateScope): Promise<OutdatedCertificate[]> =>
  tx.query(outdated(conditionOf(scope)))

/** SQL for the audit's findings: valid certificates that contradict attendance, programme or ledger. */
export const outdatedCertificateFindings = sql`
  select format('certificate %s: it does not certify what the portal has', code) as finding from (${outdated(sql`true`)}) o order by 1`

/** Serializes issuing and revoking certificates until the transaction ends. */
export const lockCertificates = (tx: Queryable): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('certificates'))`)

export type NewCertificate = { code: string; bookingId: number; version: number; webUserId: number; jws: string }
export const insertCertificate = async (tx: Queryable, certificate: NewCertificate): Promise<void> => {
  const { code, bookingId, version, webUserId, jws } = certificate
  await tx.execute(sql`
    insert into certificates (code, booking_id, version) values (${code}, ${bookingId}, ${version})`)
  await tx.execute(sql`
    insert into certificate_documents (code, web_user_id, jws) values (${code}, ${webUserId}, ${jws})`)
}

export const updateCertificateRevoked = (tx: Queryable, code: string, isWithdrawn = false): Promise<number> =>
  tx.execute(sql`
    update certificates set revoked_at = clock_timestamp(), is_withdrawn = ${isWithdrawn} where code = ${code} and revoked_at is null`)

/** Finds a certificate. `webUserId` and `course` are null once the account is deleted. */
export const findCertificate = (
  db: Queryable,
  code: string,
): Promise<{
  state: 'valid' | 'revoked' | 'replaced'
  issued: string
  webUserId: number | null
  course: string | null
  course2: string
} | null> =>
  db.maybeOne(sql`
    select case when o.revoked_at is null then 'valid' when exists (
        select from certificates n where n.booking_id = o.booking_id and n.version > o.version) then 'replaced' else 'revoked' end as state,
      o.issued_at::date::text as issued, d.web_user_id as "webUserId", ${payloadOf(sql`d.jws`)} ->> 'course' as course, coalesce(${course2Of(sql`o.booking_id`)}, '') as course2
    from certificates o left join certificate_documents d using (code) where o.code = ${code}`)

export const findCertificateJws = async (db: Queryable, code: string): Promise<string | null> =>
  (await db.maybeOne<{ jws: string }>(sql`select jws from certificate_documents where code = ${code}`))?.jws ?? null

/** Reassigns certificates from the duplicate person to the remaining one when two people are merged. */
export const reassignCertificates = (tx: Queryable, fromId: number, intoId: number): Promise<number> =>
  tx.execute(sql`update certificate_documents set web_user_id = ${intoId} where web_user_id = ${fromId}`)

export const isCourseSettled = async (tx: Queryable, courseId: number): Promise<boolean> =>
  (await tx.maybeOne(sql`select from settlements where course_id = ${courseId} limit 1`)) !== null

export type StoredSigningKey = { kid: string; x: string; d: string | null; createdOn: string }

/** Returns the signing keys, newest first. Locks their row if it exists. */
export const lockSigningKeys = async (tx: Queryable): Promise<StoredSigningKey[]> => {
  const row = await tx.maybeOne<{ value: Buffer }>(sql`
    select value from secrets where name = 'certificate-keys' for update`)
  return row ? JSON.parse(row.value.toString()) : []
}
export const listSigningKeys = async (db: Queryable): Promise<StoredSigningKey[]> => {
  const row = await db.maybeOne<{ value: Buffer }>(sql`select value from secrets where name = 'certificate-keys'`)
  return row ? JSON.parse(row.value.toString()) : []
}
export const saveSigningKeys = (tx: Queryable, keys: readonly StoredSigningKey[]): Promise<number> =>
  tx.execute(sql`
    insert into secrets values ('certificate-keys', ${Buffer.from(JSON.stringify(keys))})
    on conflict (name) do update set value = excluded.value`)

import { BOOKING_STATUS } from '#contract/values.ts'
import { anonymizeLeaves } from '#server/features/bookings/booking-order-repository.ts'
import { lastGuestAt } from '#server/features/lessons/participant-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { SECRET_MAIL_KINDS } from '#server/platform/outbox/mail-kinds.ts'

export type NamedCourse = { number: string; name: string; name2: string }

/** Current courses in which the person has a seat or waiting-list entry. */
export const listCurrentBookedCourses = (tx: Queryable, webUserId: number): Promise<NamedCourse[]> =>
  tx.query(sql`
    select c.number, c.name, c.name2 from bookings b join courses c on c.id = b.course_id
    where b.web_user_id = ${webUserId} and b.cancelled_at is null and c.closes_at > clock_timestamp()
    order by c.starts_on, c.id`)

/** Current courses that the person teaches. */
export const listCurrentTaughtCourses = (tx: Queryable, email: string): Promise<NamedCourse[]> =>
  tx.query(sql`
    select c.number, c.name, c.name2 from courses c
    where c.closes_at > clock_timestamp() and (
      exists (select from course_instructors i where i.course_id = c.id and i.email = ${email})
      or exists (select from course_dates d where d.course_id = c.id and d.instructor_email = ${email} and d.held_at > localtimestamp))
    order by c.starts_on, c.id`)

/** Dates until which a deleted account's data are retained, 'YYYY-MM-DD'; null if no data of that kind are retained. */
export type RetainedData = { billing: string | null; participation: string | null; mail: string }

/** Ledger balance of the booking `b` in cents; see settleCoursesOfPerson. */
const owedCents = sql`coalesce((select sum(e.cents) from ledger_entries e where e.booking_id = b.id), 0)::int`

/**
 * SQL condition on booking `b` of course `c`: an amount is due, and the retention period of billing data, starting at
 * the booking, has not ended. Cancelled bookings with a charge are included.
 */
const isBilled = sql`
  b.state = ${BOOKING_STATUS.Booked} and ${owedCents} > 0
  and b.booked_at > clock_timestamp() - ${retentionIntervalOf('billing')}::interval`
const billingEnd = sql`(b.booked_at + ${retentionIntervalOf('billing')}::interval)::date`

export const findRetainedData = (tx: Queryable, webUserId: number): Promise<RetainedData> =>
  tx.one(sql`
    select max(${billingEnd}) filter (where ${isBilled}) as billing,
      (greatest(max(b.booked_at), ${lastGuestAt(sql`${webUserId}`)}) + ${retentionIntervalOf('participant')}::interval)::date as participation,
      (clock_timestamp() + ${retentionIntervalOf('lastMail')}::interval)::date as mail
    from bookings b join courses c on c.id = b.course_id where b.web_user_id = ${webUserId}`)

/** Copies the billing data of each paid booking to a record that does not depend on the booking or the account. */
export const insertRetainedBillingRecords = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    insert into billing_records (name, street, zip, city, course_number, amount_cents, booked_on, ends_on)
    select concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name), u.street, u.zip, u.city,
      c.number, ${owedCents}, b.booked_at::date, ${billingEnd}
    from bookings b join courses c on c.id = b.course_id join web_users u on u.id = b.web_user_id
    where b.web_user_id = ${webUserId} and ${isBilled}`)

/**
 * Reassigns a person's bookings and attendance to a new anonymous account, so that course counts stay correct. The
 * price is replaced by the amount due, because status and attendance can no longer prove that the fee was waived.
 */
export async function reassignToAnonymousAccount(tx: Queryable, webUserId: number): Promise<void> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into web_users (email, form_of_address, family_name, created_at, deleted_at)
    values ('deleted ' || gen_random_uuid(), 'Divers', '—', current_date, current_date) returning id`)
  await anonymizeLeaves(tx, webUserId)
  await tx.execute(sql`
    delete from attendance_decisions d using bookings b where b.id = d.booking_id and b.web_user_id = ${webUserId}`)
  await tx.execute(sql`
    update bookings b set web_user_id = ${id},
      -- assigns a new id, because ledger entries refer to the previous one
      id = default, processing_cents = 0,
      price_cents = case when b.cancelled_at is null then greatest(${owedCents} - b.energy_cents, 0) else b.price_cents end,
      booked_at = date_trunc('day', b.booked_at), promoted_at = date_trunc('day', b.promoted_at),
      cancelled_at = date_trunc('day', b.cancelled_at), employee_status = null,
      announced_absences = '{}', absence_days = '{}', personnel_number = '', owner_personnel_number = '', billing_type = null, division_id = null
    from courses c where c.id = b.course_id and b.web_user_id = ${webUserId}`)
  await tx.execute(sql`
    update freed_places set guest_id = ${id}, taken_at = date_trunc('day', taken_at)
    where guest_id = ${webUserId} and held_at <= localtimestamp`)
  await tx.execute(sql`
    update freed_places set guest_id = null, taken_at = null, offered_at = clock_timestamp() where guest_id = ${webUserId}`)
  await tx.execute(sql`update attendances set web_user_id = ${id} where web_user_id = ${webUserId}`)
  await tx.execute(sql`update attendance_changes set web_user_id = ${id} where web_user_id = ${webUserId}`)
}

/**
 * Deletes data that `on delete cascade` does not cover: e-mails and throttling events. Documents are deleted with their
 * messages.
 */
export async function deleteMailsAndThrottleEvents(tx: Queryable, webUserId: number, email: string): Promise<void> {
  await tx.execute(sql`
    delete from mails
    where web_user_id = ${webUserId} and (sent_at is not null or kind = any(${SECRET_MAIL_KINDS}))`)
  await tx.execute(sql`delete from throttle_events where subject in (${email}, ${String(webUserId)})`)
  await tx.execute(sql`delete from inbox_items where web_user_id = ${webUserId}`)
}

/** Deletes an instructor's public profile and picture, and removes the name from past courses. */
export async function deleteInstructorProfile(tx: Queryable, email: string): Promise<void> {
  const renamed = await tx.execute(sql`
    with person as (select email, concat_ws(' ', nullif(given_name, ''), family_name) as name from instructors where email = ${email})
    update courses c set instructor = btrim(replace(c.instructor, p.name, ''), ' ,'), revision = c.revision + 1
    from person p, course_instructors i
    where i.email = p.email and c.id = i.course_id and strpos(c.instructor, p.name) > 0`)
  if (renamed > 0) await tx.execute(sql`update programme set revision = revision + 1`)
  await tx.execute(sql`delete from instructors where email = ${email}`)
}

export const deleteAccountRow = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`delete from web_users where id = ${webUserId}`)

/**
 * Adds an account to the list of deleted accounts. Call this before deleting the account's row. See
 * docs/decisions/0080.
 * @param deletedAt null: now
 */
export const insertDeletedAccount = (tx: Queryable, webUserId: number, deletedAt: Date | null): Promise<number> =>
  tx.execute(sql`
    insert into deleted_accounts (web_user_id, created_at, deleted_at)
    select id, created_at, coalesce(${deletedAt}::timestamptz, clock_timestamp()) from web_users where id = ${webUserId}
    on conflict (web_user_id) do update set deleted_at = excluded.deleted_at, created_at = excluded.created_at`)

export type DeletedAccount = { webUserId: number; deletedAt: Date; createdAt: Date | null }

export const listDeletedAccounts = (db: Queryable): Promise<DeletedAccount[]> =>
  db.query(sql`
    select web_user_id as "webUserId", deleted_at as "deletedAt", created_at as "createdAt" from deleted_accounts order by deleted_at`)

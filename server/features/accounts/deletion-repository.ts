import { type Queryable, sql } from '#server/db/client.ts'
import { SECRET_FIELDS } from '#server/mail/kinds.ts'
import { BILLING_YEARS } from './rules.ts'

/** Courses that the person still has a place in, or waits for: 'name (number)' each. */
export const listOpenCourses = async (tx: Queryable, webUserId: number): Promise<string[]> =>
  (
    await tx.query<{ course: string }>(sql`
      select c.name || ' (' || c.number || ')' as course from bookings b join courses c on c.id = b.course_id
      where b.web_user_id = ${webUserId} and b.cancelled_at is null and c.closes_at > clock_timestamp()
      order by c.starts_on, c.id`)
  ).map(({ course }) => course)

/** Courses that are not over and need the person as their instructor: 'name (number)' each. */
export const listTaughtCourses = async (tx: Queryable, email: string): Promise<string[]> =>
  (
    await tx.query<{ course: string }>(sql`
      select c.name || ' (' || c.number || ')' as course from course_instructors i join courses c on c.id = i.course_id
      where i.email = ${email} and c.closes_at > clock_timestamp() order by c.starts_on, c.id`)
  ).map(({ course }) => course)

/** What bookings the person leaves behind. */
export const findTraces = (
  tx: Queryable,
  webUserId: number,
): Promise<{ hasBookings: boolean; hasPaidBookings: boolean }> =>
  tx.one(sql`
    select exists (select from bookings where web_user_id = ${webUserId})
        or exists (select from attendances where web_user_id = ${webUserId}) as "hasBookings",
      exists (
        select from bookings b where b.web_user_id = ${webUserId} and b.state = 1 and b.cancelled_at is null
          and b.price_cents > 0 and b.booked_at > clock_timestamp() - ${BILLING_YEARS} * interval '1 year'
      ) as "hasPaidBookings"`)

/**
 * Everything that hangs on the account and nobody has to keep: logins, links, messages, the public profile of an instructor,
 * mails that are out or would only bring a way into the account.
 */
export async function deleteBelongings(tx: Queryable, webUserId: number, email: string): Promise<void> {
  await tx.execute(sql`delete from sessions where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from account_tokens where web_user_id = ${webUserId}`)
  await tx.execute(sql`delete from inbox_items where web_user_id = ${webUserId}`)
  await tx.execute(sql`
    delete from mails
    where web_user_id = ${webUserId} and (sent_at is not null or payload ?| ${SECRET_FIELDS}::text[])`)
  await tx.execute(sql`delete from instructors where email = ${email}`)
  await tx.execute(sql`delete from throttle_events where subject in (${email}, ${String(webUserId)})`)
}

export const deleteAccountRow = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`delete from web_users where id = ${webUserId}`)

/**
 * Empties an account whose bookings stay: as numbers of their courses, and with the name, postal address and billing data
 * where a paid one has to be accounted for. What it gets for an e-mail address is none, so that nobody can have it.
 */
export async function anonymizeAccount(tx: Queryable, webUserId: number, isBillingKept: boolean): Promise<void> {
  await tx.execute(sql`
    update web_users set email = 'deleted ' || id, deleted_at = clock_timestamp(), confirmed_at = null,
      password_hash = null, imported_password_hash = null, reset_password_hash = null, reset_expires_at = null, department = '', location = '',
      company_address = '', bkk_number = '', mobile_phone = '', private_phone = '', business_phone = '',
      year_of_birth = null
    where id = ${webUserId}`)
  if (isBillingKept) return
  await tx.execute(sql`
    update bookings set personnel_number = '', owner_personnel_number = '', billing_type = null, division_id = null
    where web_user_id = ${webUserId}`)
  await tx.execute(sql`
    update web_users set form_of_address = 'Divers', title = '', given_name = '', family_name = '—',
      personnel_number = '', owner_personnel_number = '', billing_type = null, division_id = null,
      street = '', zip = '', city = ''
    where id = ${webUserId}`)
}

import { type Queryable, sql } from '#server/db/client.ts'
import { SECRET_FIELDS } from '#server/mail/kinds.ts'

export type RetentionRule = {
  /** for the operator */
  what: string
  after: string
  /** @returns the number of what is gone */
  apply(tx: Queryable, now: Date): Promise<number>
}

// A booking under way shows only as the account's `last_booked_at`, once it has let the account go.

/** Instructors have no bookings of their own, and their courses need the account. */
const isNoInstructor = sql`not exists (select from instructors i where i.email = u.email)`
const hasNoTrace = sql`
  not exists (select from bookings b where b.web_user_id = u.id)
  and not exists (select from attendances a where a.web_user_id = u.id)`

/** Accounts by id, with their bookings and attendance; the counters of the courses follow. */
async function deleteParticipants(tx: Queryable, ids: number[]): Promise<number> {
  await tx.execute(sql`delete from attendance_changes where web_user_id = any(${ids})`)
  await tx.execute(sql`delete from attendances where web_user_id = any(${ids})`)
  await tx.execute(sql`
    with gone as (
      delete from bookings where web_user_id = any(${ids}) returning course_id, cancelled_at
    ), freed as (
      select course_id, count(*)::int as places from gone where cancelled_at is null group by course_id
    )
    update courses c set taken = taken - places, revision = revision + 1 from freed where c.id = freed.course_id`)
  return tx.execute(sql`delete from web_users where id = any(${ids})`)
}

/** Specification section 4 and 9: how long what is kept. */
export const retentionRules: RetentionRule[] = [
  {
    what: 'registrations that nobody activated',
    after: '2 weeks',
    apply: (tx, now) =>
      tx.execute(sql`
        delete from web_users u where confirmed_at is null and deleted_at is null and ${hasNoTrace}
          and created_at <= ${now}::timestamptz - interval '2 weeks'`),
  },
  {
    what: 'accounts without a booking',
    after: '2 years',
    apply: (tx, now) =>
      tx.execute(sql`
        delete from web_users u where confirmed_at is not null and ${isNoInstructor} and ${hasNoTrace}
          and last_booked_at is null
          and created_at <= ${now}::timestamptz - interval '2 years'`),
  },
  {
    what: 'past participants, with their bookings and attendance',
    after: '10 years without a booking',
    async apply(tx, now) {
      const past = await tx.query<{ id: number }>(sql`
        select u.id from web_users u
        where ${isNoInstructor} and exists (select from bookings b where b.web_user_id = u.id)
          and greatest(last_booked_at, (select max(b.booked_at) from bookings b where b.web_user_id = u.id))
            <= ${now}::timestamptz - interval '10 years'
        order by u.id for update`)
      return deleteParticipants(
        tx,
        past.map(({ id }) => id),
      )
    },
  },
  {
    what: 'contact data: mails with their recipients',
    after: '6 months',
    apply: (tx, now) =>
      tx.execute(sql`delete from mails where created_at <= ${now}::timestamptz - interval '6 months'`),
  },
  {
    what: 'passwords and links in mails that could not be sent',
    after: '2 weeks',
    apply: (tx, now) =>
      tx.execute(sql`
        update mails set payload = payload - ${SECRET_FIELDS}::text[], next_attempt_at = 'infinity'
        where sent_at is null and payload ?| ${SECRET_FIELDS}::text[]
          and created_at <= ${now}::timestamptz - interval '2 weeks'`),
  },
  {
    what: 'failures and requests with their network addresses',
    after: '7 days',
    apply: (tx, now) =>
      tx.execute(sql`delete from throttle_events where happened_at <= ${now}::timestamptz - interval '7 days'`),
  },
  {
    what: 'sessions',
    after: 'they ended',
    apply: (tx, now) => tx.execute(sql`delete from sessions where expires_at <= ${now}`),
  },
  {
    what: 'mailed links',
    after: 'they ended',
    apply: (tx, now) => tx.execute(sql`delete from account_tokens where expires_at <= ${now}`),
  },
  {
    what: 'mailed passwords',
    after: 'they ended',
    apply: (tx, now) =>
      tx.execute(sql`
        update web_users set reset_password_hash = null, reset_expires_at = null where reset_expires_at <= ${now}`),
  },
]

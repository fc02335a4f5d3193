import { RETENTION_LIMITS, type RetentionLimit } from '#contract/tables/data-map.ts'
import { deleteUnverifiedAccountsById } from '#server/features/accounts/claim-repository.ts'
import { lastGuestAt } from '#server/features/lessons/participant-repository.ts'
import { unlinkLedgerAccountsOfPerson } from '#server/features/money/ledger-repository.ts'
import { ATTENDANCE_PROOF_DEADLINE_DAYS } from '#server/features/money/proof-rules.ts'
import { openCentsOfAccount } from '#server/features/money/repository.ts'
import { accountRights } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf, type SqlFragment, type TimedRetentionEnd } from '#server/platform/db/sql.ts'

export type RetentionRule = {
  /** retention period in the data map that this rule enforces */
  ending: RetentionLimit
  /** descriptions for the operator */
  what: string
  after: string
  /**
   * Deletes all rows whose retention period has ended.
   * @returns number of deleted rows
   */
  apply(tx: Queryable, now: Date): Promise<number>
}

const describe = (ending: TimedRetentionEnd) => {
  const { count, unit } = RETENTION_LIMITS[ending]
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
/** Cutoff timestamp: the retention period of older data has ended. */
const limit = (ending: TimedRetentionEnd, now: Date) =>
  sql`${now}::timestamptz - ${retentionIntervalOf(ending)}::interval`

/**
 * SQL condition that excludes instructors and people with rights, because courses and the desk need their accounts even
 * without bookings.
 */
const isNoStaff = sql`
  not exists (select from instructors i where i.email = u.email)
  and not exists (select from ${accountRights} r where r.web_user_id = u.id)`
/** Excludes accounts that were merged into another one, which can be separated until their own retention ends. */
const isNotMerged = sql`u.email not like 'merged %'`
const hasNoTrace = sql`
  ${isNotMerged} and
  not exists (select from bookings b where b.web_user_id = u.id)
  and not exists (select from freed_places f where f.guest_id = u.id and f.ended_at is null)
  and not exists (select from attendances a where a.web_user_id = u.id)`

/**
 * Locks the accounts to delete and then evaluates the condition again, because a transaction that waits for a
 * concurrent booking does not see that booking. See docs/decisions/0003.
 */
async function lockDue(tx: Queryable, isDue: SqlFragment): Promise<number[]> {
  const lock = async (amongThem: SqlFragment) =>
    (
      await tx.query<{ id: number }>(
        sql`select u.id from web_users u where ${amongThem} ${isDue} order by u.id for update`,
      )
    ).map(({ id }) => id)
  const ids = await lock(sql.empty)
  return lock(sql`u.id = any(${ids}) and`)
}

/** Deletes accounts. What they owe keeps their name and address for as long as that of a deleted account. */
async function deleteAccounts(tx: Queryable, ids: number[]): Promise<number> {
  for (const id of ids) await unlinkLedgerAccountsOfPerson(tx, id)
  return tx.execute(sql`delete from web_users where id = any(${ids})`)
}

const deleteDue = async (tx: Queryable, isDue: SqlFragment): Promise<number> =>
  deleteAccounts(tx, await lockDue(tx, isDue))

/** Deletes accounts with their bookings and attendance, and updates the counters of courses. */
async function deleteParticipants(tx: Queryable, ids: number[]): Promise<number> {
  await tx.execute(sql`delete from attendance_changes where web_user_id = any(${ids})`)
  await tx.execute(sql`delete from attendances where web_user_id = any(${ids})`)
  await tx.execute(sql`
    with gone as (
      delete from bookings where web_user_id = any(${ids}) returning course_id, cancelled_at, is_passed_over
    ), freed as (
      select course_id, count(*)::int as places from gone where cancelled_at is null and not is_passed_over group by course_id
    )
    update courses c set taken = taken - places, revision = revision + 1 from freed where c.id = freed.course_id`)
  return deleteAccounts(tx, ids)
}

/**
 * Truncates old attendance timestamps to the day but keeps their order, so that an older change that arrives late
 * cannot overwrite a newer one.
 */
async function coarsenTaps(tx: Queryable, now: Date): Promise<number> {
  const changes = await tx.execute(sql`
    with due as (
      select distinct course_date_id, web_user_id, date_trunc('day', changed_at) as day from attendance_changes
      where not is_day_only and received_at < date_trunc('day', ${limit('tapTime', now)})
    ), ranked as (
      select c.change_id, c.is_day_only, due.day + interval '1 day' - interval '1 microsecond' * row_number() over (
        partition by c.course_date_id, c.web_user_id, due.day order by c.changed_at desc, c.received_at desc) as last_moment
      from due join attendance_changes c using (course_date_id, web_user_id)
      where date_trunc('day', c.changed_at) = due.day
        and (c.is_day_only or c.received_at < date_trunc('day', ${limit('tapTime', now)}))
    )
    update attendance_changes c
    set changed_at = r.last_moment, received_at = date_trunc('day', received_at), is_day_only = true
    from ranked r where c.change_id = r.change_id and (not r.is_day_only or c.changed_at <> r.last_moment)`)
  const presences = await tx.execute(sql`
    update attendances a
    set changed_at = date_trunc('day', changed_at) + interval '1 day' - interval '1 microsecond', is_day_only = true
    where not is_day_only and changed_at < date_trunc('day', ${limit('tapTime', now)})
      and not exists (
        select from attendance_changes c
        where c.course_date_id = a.course_date_id and c.web_user_id = a.web_user_id and not c.is_day_only)`)
  return changes + presences
}

/** Retention rules from specification sections 4 and 9 and from the data map. */
export const retentionRules: RetentionRule[] = [
  {
    ending: 'unactivated',
    what: 'registrations that nobody activated',
    after: describe('unactivated'),
    async apply(tx, now) {
      const due = await lockDue(
        tx,
        sql`confirmed_at is null and deleted_at is null and created_at <= ${limit('unactivated', now)}`,
      )
      await deleteUnverifiedAccountsById(tx, due)
      return due.length
    },
  },
  {
    ending: 'unactivated',
    what: 'rights of invited people who have not logged in',
    after: describe('unactivated'),
    apply: (tx, now) => tx.execute(sql`delete from invited_rights where invited_at <= ${limit('unactivated', now)}`),
  },
  {
    ending: 'mergedAccount',
    what: 'accounts that were merged into another one',
    after: describe('mergedAccount'),
    apply: (tx, now) =>
      tx.execute(sql`
        delete from web_users where email like 'merged %' and deleted_at <= ${limit('mergedAccount', now)}`),
  },
  {
    ending: 'withoutBooking',
    what: 'accounts without a booking',
    after: describe('withoutBooking'),
    apply: (tx, now) =>
      deleteDue(
        tx,
        sql`confirmed_at is not null and ${isNoStaff} and ${hasNoTrace} and created_at <= ${limit('withoutBooking', now)}`,
      ),
  },
  {
    ending: 'participant',
    what: 'past participants, with their bookings and attendance',
    after: `${describe('participant')} without a booking`,
    async apply(tx, now) {
      const past = await lockDue(
        tx,
        sql`${isNoStaff} and not exists (
          select from freed_places f where f.guest_id = u.id and f.ended_at is null and f.held_at > localtimestamp)
        and greatest((select max(b.booked_at) from bookings b where b.web_user_id = u.id), ${lastGuestAt(sql`u.id`)}) <= ${limit('participant', now)}`,
      )
      return deleteParticipants(tx, past)
    },
  },
  {
    ending: 'billing',
    what: 'records of what deleted accounts paid for',
    after: `${describe('billing')}: each on its own date, what is unpaid once it is paid`,
    async apply(tx, now) {
      const day = sql`${now}::timestamptz::date`
      // A credit that nobody has claimed by then is no reason to retain the payer.
      const isDue = sql`a.ends_on <= ${day} and ${openCentsOfAccount} <= 0`
      // The entries are kept without the payer and the free-text reasons.
      await tx.execute(sql`
        delete from ledger_reasons r using ledger_entries e, ledger_accounts a
        where e.id = r.entry_id and a.id = e.account_id and ${isDue}`)
      const accounts = await tx.execute(sql`
        update ledger_accounts a set name = '', street = '', zip = '', city = '', personnel_number = '', billing_type = null,
          division_id = null, is_verified = false, has_consent = false, ends_on = null
        where ${isDue}`)
      return accounts + (await tx.execute(sql`delete from billing_records where ends_on <= ${day}`))
    },
  },
  {
    ending: 'billing',
    what: 'invoices without their amounts, payroll files, and reasons of entries',
    after: `${describe('billing')}, those of invoices and files counted from the end of their year`,
    async apply(tx, now) {
      // Triggers refuse changes that are early by the clock of the database.
      const begin = sql`
        date_trunc('year', least(${now}::timestamptz, clock_timestamp())) - ${retentionIntervalOf('billing')}::interval`
      const invoices = await tx.execute(sql`
        update invoices set name = '', street = '', zip = '', city = '', pdf = '' where issued_on < ${begin} and name <> ''`)
      const files = await tx.execute(sql`
        delete from batch_files f using batches b where b.id = f.batch_id and b.closed_at < ${begin}`)
      const reasons = await tx.execute(sql`
        delete from ledger_reasons r using ledger_entries e
        where e.id = r.entry_id and e.made_at <= ${limit('billing', now)}`)
      return invoices + files + reasons
    },
  },
  {
    ending: 'payout',
    what: 'IBANs that no payment order used',
    after: `${describe('payout')} after they were entered`,
    apply: (tx, now) =>
      tx.execute(sql`delete from payout_accounts where coalesce(changed_at, entered_at) <= ${limit('payout', now)}`),
  },
  {
    ending: 'payout',
    what: 'payment orders for refunds that the bank has not answered',
    after: describe('payout'),
    apply: (tx, now) =>
      tx.execute(sql`
        delete from batch_files f using batches b
        where b.id = f.batch_id and f.format = 'xml' and b.closed_at <= ${limit('payout', now)}`),
  },
  {
    ending: 'absence',
    what: 'absences of instructors',
    after: `${describe('absence')} after the last day`,
    apply: (tx, now) => tx.execute(sql`delete from absences where ends_on < (${limit('absence', now)})::date`),
  },
  {
    ending: 'absence',
    what: 'requests to be a substitute',
    after: `${describe('absence')} after the time until which they could be answered`,
    apply: (tx, now) =>
      tx.execute(sql`delete from substitute_invitations where ends_at::date < (${limit('absence', now)})::date`),
  },
  {
    ending: 'proofFile',
    what: 'files of proofs',
    after: `${describe('proofFile')} after the decision`,
    apply: (tx, now) =>
      tx.execute(
        sql`update proofs set content = null where content is not null and decided_at <= ${limit('proofFile', now)}`,
      ),
  },
  {
    ending: 'proofFile',
    what: 'proofs on which nobody decided',
    after: `${describe('proofFile')} after they could have been used`,
    // They count until two weeks after the last lesson of a course in their span (money.md rule 6).
    apply: (tx, now) =>
      tx.execute(sql`
        delete from proofs p where p.state = 'open' and greatest(p.created_at, (
          select max(d.held_at)::timestamptz from bookings b join courses c on c.id = b.course_id
            join course_dates d on d.course_id = c.id
          where b.web_user_id = p.web_user_id and b.cancelled_at is null and d.state = 'planned'
            and p.starts_on <= c.ends_on and c.starts_on <= p.ends_on
        )) <= ${limit('proofFile', now)} - ${ATTENDANCE_PROOF_DEADLINE_DAYS} * interval '1 day'`),
  },
  {
    ending: 'message',
    what: 'messages, with their documents',
    after: describe('message'),
    // A document is deleted with the last message that references it.
    apply: (tx, now) => tx.execute(sql`delete from inbox_items where created_at <= ${limit('message', now)}`),
  },
  {
    ending: 'message',
    what: 'unsent messages to one person',
    after: describe('message'),
    apply: (tx, now) =>
      tx.execute(sql`
        delete from desk_messages where person_id is not null and changed_at <= ${limit('message', now)}`),
  },
  {
    ending: 'mail',
    what: 'contact data: mails with their recipients',
    after: describe('mail'),
    async apply(tx, now) {
      await tx.execute(sql`delete from alerts where created_at <= ${limit('mail', now)}`)
      const letters = await tx.execute(sql`delete from letters where created_at <= ${limit('mail', now)}`)
      return letters + (await tx.execute(sql`delete from mails where created_at <= ${limit('mail', now)}`))
    },
  },
  {
    ending: 'link',
    what: 'webhook calls',
    after: 'a month',
    apply: (tx, now) =>
      tx.execute(sql`
        delete from outbox where webhook_id is not null and created_at <= ${now}::timestamptz - interval '30 days'`),
  },
  {
    ending: 'read',
    what: 'who looked at whose data',
    after: describe('read'),
    apply: (tx, now) => tx.execute(sql`delete from office_reads where read_at <= ${limit('read', now)}`),
  },
  {
    ending: 'link',
    what: 'uploads that nothing used, what passkeys had to sign, refused company logins, and ids of acts that nobody sends again',
    after: 'a day, their end, and a month for the last two',
    apply: async (tx, now) =>
      (await tx.execute(sql`delete from office_files where created_at <= ${now}::timestamptz - interval '1 day'`)) +
      (await tx.execute(sql`delete from passkey_challenges where expires_at <= ${now}`)) +
      (await tx.execute(sql`delete from company_logins where expires_at <= ${now}`)) +
      (await tx.execute(
        sql`delete from company_number_conflicts where refused_at <= ${now}::timestamptz - interval '1 month'`,
      )) +
      (await tx.execute(sql`delete from company_logouts where expires_at <= ${now}`)) +
      (await tx.execute(sql`delete from office_acts where acted_at <= ${now}::timestamptz - interval '1 month'`)),
  },
  {
    ending: 'lastMail',
    what: 'mails of accounts that are gone',
    after: describe('lastMail'),
    apply: (tx, now) =>
      tx.execute(sql`delete from mails where web_user_id is null and created_at <= ${limit('lastMail', now)}`),
  },
  {
    ending: 'names',
    what: 'people at the door of a lesson who were not on its list',
    after: `${describe('names')}, counted from the course's last lesson`,
    apply: (tx, now) =>
      tx.execute(sql`
        delete from door_guests g using course_dates d, courses c
        where d.id = g.course_date_id and c.id = d.course_id and c.closes_at <= ${limit('names', now)}`),
  },
  {
    ending: 'tapTime',
    what: 'times of recorded attendance, of which the day stays',
    after: `${describe('tapTime')}, counted from the end of the day`,
    apply: coarsenTaps,
  },
  {
    ending: 'networkAddress',
    what: 'failures and requests with their network addresses',
    after: describe('networkAddress'),
    apply: (tx, now) =>
      tx.execute(sql`delete from throttle_events where happened_at <= ${limit('networkAddress', now)}`),
  },
  {
    ending: 'session',
    what: 'sessions',
    after: 'they ended',
    apply: (tx, now) => tx.execute(sql`delete from sessions where expires_at <= ${now}`),
  },
  {
    ending: 'knownDevice',
    what: 'browsers known from a login',
    after: `${describe('knownDevice')} without another`,
    apply: (tx, now) => tx.execute(sql`delete from known_devices where last_used_at <= ${limit('knownDevice', now)}`),
  },
  {
    ending: 'link',
    what: 'mailed links',
    after: 'they ended',
    apply: (tx, now) => tx.execute(sql`delete from account_tokens where expires_at <= ${now}`),
  },
  {
    ending: 'link',
    what: 'mailed passwords',
    after: 'they ended',
    apply: (tx, now) =>
      tx.execute(sql`
        update web_users set reset_password_hash = null, reset_expires_at = null where reset_expires_at <= ${now}`),
  },
]

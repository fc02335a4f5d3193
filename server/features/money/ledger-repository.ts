import { BILLING_TYPE, type MANUAL_ENTRY_KINDS, type SettlementEntryKind } from '#contract/values.ts'
import { isOnPayroll, isPersonVerified } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf } from '#server/platform/db/sql.ts'
import { hasPayerConsent } from './proof-repository.ts'

export type LedgerEntryKind = SettlementEntryKind | (typeof MANUAL_ENTRY_KINDS)[number]

export type NewLedgerEntry = {
  accountId: number
  courseId: number | null
  bookingId: number | null
  kind: LedgerEntryKind
  cents: number
}

/**
 * Returns people's ledger accounts, creating missing ones. If a person has several accounts after a merge, the oldest
 * one is returned. Locks the accounts, so that changes to a balance are serialized.
 * @returns ids of ledger accounts, keyed by person id
 */
export async function findOrCreateLedgerAccounts(
  tx: Queryable,
  webUserIds: readonly number[],
): Promise<Map<number, number>> {
  const ids = [...new Set(webUserIds)]
  await tx.execute(sql`
    insert into ledger_accounts (web_user_id) select person from unnest(${ids}::int[]) person
    where not exists (select from ledger_accounts a where a.web_user_id = person)`)
  await tx.execute(sql`select from ledger_accounts where web_user_id = any(${ids}::int[]) order by id for update`)
  const rows = await tx.query<{ webUserId: number; id: number }>(sql`
    select web_user_id as "webUserId", min(id) as id from ledger_accounts where web_user_id = any(${ids}::int[]) group by 1`)
  return new Map(rows.map(({ webUserId, id }) => [webUserId, id]))
}

/**
 * Inserts ledger entries.
 * @returns their ids in the same order
 */
export async function insertLedgerEntries(
  tx: Queryable,
  entries: readonly NewLedgerEntry[],
  { settlementId = null, madeBy }: { settlementId?: number | null; madeBy: number | null },
): Promise<number[]> {
  const columnOf = <Key extends keyof NewLedgerEntry>(key: Key) => entries.map(entry => entry[key])
  const rows = await tx.query<{ id: number }>(sql`
    insert into ledger_entries (account_id, course_id, booking_id, kind, cents, settlement_id, made_by)
    select account_id, course_id, booking_id, kind, cents, ${settlementId}::int, ${madeBy}::int
    from unnest(${columnOf('accountId')}::int[], ${columnOf('courseId')}::int[], ${columnOf('bookingId')}::bigint[],
      ${columnOf('kind')}::text[], ${columnOf('cents')}::int[]) with ordinality e (account_id, course_id, booking_id, kind, cents, number)
    order by number returning id`)
  return rows.map(({ id }) => id)
}

/**
 * Moves a part of the credit in an account's entries to an entry of its own, by two entries whose sum is 0. They belong to
 * the account and the course with the largest of these credits.
 * @param cents the part, negative
 * @returns ids of the entry that reduces the credit, and of the one with the part
 */
export async function insertCarriedEntries(
  tx: Queryable,
  { entryIds, cents }: { entryIds: readonly number[]; cents: number },
  madeBy: number | null,
): Promise<number[]> {
  const credit = await tx.one<{ accountId: number; courseId: number | null }>(sql`
    select account_id as "accountId", course_id as "courseId" from ledger_entries
    where id = any(${[...entryIds]}::bigint[]) order by cents, id limit 1`)
  const entry = { ...credit, bookingId: null, kind: 'correction' } as const
  return insertLedgerEntries(
    tx,
    [
      { ...entry, cents: 0 - cents },
      { ...entry, cents },
    ],
    { madeBy },
  )
}

/** @param freeUntil until when a cancellation was free, 'YYYY-MM-DD HH:MM:SS' in the portal's time zone */
export const insertEntryReason = (
  tx: Queryable,
  entryId: number,
  text: string,
  freeUntil: string | null = null,
): Promise<number> =>
  tx.execute(sql`
    insert into ledger_reasons (entry_id, text, free_until) values (${entryId}, ${text}, ${freeUntil}::timestamp)`)

type EntrySum = { bookingId: number; kind: LedgerEntryKind; cents: number }
/** Sums of a course's ledger entries, by booking and kind. */
export const listEntrySums = (tx: Queryable, courseId: number): Promise<EntrySum[]> =>
  tx.query(sql`
    select booking_id as "bookingId", kind, sum(cents)::int as cents from ledger_entries
    where course_id = ${courseId} and booking_id is not null group by 1, 2`)

/**
 * Ledger balances of people, in cents.
 * @returns balances keyed by person id
 */
export const listLedgerBalances = async (tx: Queryable, webUserIds: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (
      await tx.query<{ webUserId: number; cents: number }>(sql`
        select a.web_user_id as "webUserId", sum(e.cents)::int as cents
        from ledger_accounts a join ledger_entries e on e.account_id = a.id
        where a.web_user_id = any(${[...webUserIds]}::int[]) group by 1`)
    ).map(({ webUserId, cents }) => [webUserId, cents]),
  )

/** A person's ledger balance in one course, or for entries without a course. */
export const findCourseLedgerBalance = async (
  tx: Queryable,
  webUserId: number,
  courseId: number,
): Promise<{ cents: number; bookingId: number | null }> =>
  tx.one(sql`
    select coalesce(sum(e.cents), 0)::int as cents, (
      select b.id from bookings b where b.web_user_id = ${webUserId} and b.course_id = ${courseId}
      order by b.cancelled_at is null desc, b.id desc limit 1) as "bookingId"
    from ledger_accounts a join ledger_entries e on e.account_id = a.id
    where a.web_user_id = ${webUserId} and e.course_id = ${courseId}`)

/** Reassigns the ledger accounts from the duplicate person to the remaining one when two people are merged. */
export const reassignLedgerAccounts = (tx: Queryable, fromId: number, intoId: number): Promise<number> =>
  tx.execute(sql`update ledger_accounts set web_user_id = ${intoId} where web_user_id = ${fromId}`)

/** Total charged to a person so far for late cancellations in a course. */
export const findLateCancellationCents = async (tx: Queryable, courseId: number, webUserId: number): Promise<number> =>
  (
    await tx.one<{ cents: number }>(sql`
      select coalesce(sum(e.cents), 0)::int as cents from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.web_user_id = ${webUserId} and e.course_id = ${courseId} and e.kind = 'late-cancellation'`)
  ).cents

type LateCancellation = {
  courseId: number
  webUserId: number
  cents: number
  reason: string
  /** 'YYYY-MM-DD HH:MM:SS' in the portal's time zone */
  freeUntil: string
  madeBy: number | null
}

/** Charges a person for a late cancellation immediately after the booking is cancelled (money.md rule 2). */
export async function insertLateCancellationEntry(
  tx: Queryable,
  { courseId, webUserId, cents, reason, freeUntil, madeBy }: LateCancellation,
): Promise<void> {
  if (cents === 0) return
  const accountId = (await findOrCreateLedgerAccounts(tx, [webUserId])).get(webUserId) ?? 0
  const { id } = await tx.one<{ id: number }>(sql`
    select id from bookings where course_id = ${courseId} and web_user_id = ${webUserId} order by cancelled_at desc limit 1`)
  const entry = { accountId, courseId, bookingId: id, kind: 'late-cancellation', cents } as const
  const [entryId = 0] = await insertLedgerEntries(tx, [entry], { madeBy })
  await insertEntryReason(tx, entryId, reason, freeUntil)
}

/**
 * SQL condition: course `c` ended so long ago that it was billed before the portal had a ledger, so it will never be
 * settled here. A portal that had settled any course before had a ledger.
 */
export const isBilledElsewhere = sql`(c.closes_at < clock_timestamp() - interval '180 days'
  and not exists (select from settlements s where s.made_at < c.closes_at)
  and not exists (select from settlements s join courses o on o.id = s.course_id where o.season_id = c.season_id))`

/** Courses in which the person has ever had a booking, and that are billed in the ledger. */
export const listCoursesOfPerson = async (tx: Queryable, webUserId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`
      select distinct c.id from bookings b join courses c on c.id = b.course_id
      where b.web_user_id = ${webUserId} and not ${isBilledElsewhere}`)
  ).map(({ id }) => id)

/**
 * Copies a person's name, postal address, personnel number and billing data to those of their ledger accounts that have
 * entries, and removes the link between all their ledger accounts and the person.
 */
export const unlinkLedgerAccountsOfPerson = (tx: Queryable, webUserId: number): Promise<number> =>
  tx.execute(sql`
    with owed as (
      select a.id, max(e.made_at) as last_at from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.web_user_id = ${webUserId} group by 1
    ), person as (
      select u.*, ${isPersonVerified} as is_verified, ${hasPayerConsent} as has_consent,
        coalesce(u.billing_type, case when ${isOnPayroll} then ${BILLING_TYPE.PersonnelNumber}::int end) as effective_type
      from web_users u where u.id = ${webUserId}
    ), kept as (
      update ledger_accounts a set web_user_id = null,
        name = concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name), street = u.street, zip = u.zip, city = u.city,
        personnel_number = u.personnel_number, billing_type = u.effective_type, division_id = u.division_id, is_verified = u.is_verified,
        has_consent = u.has_consent,
        ends_on = (o.last_at + ${retentionIntervalOf('billing')}::interval)::date
      from owed o, person u where a.id = o.id
    )
    update ledger_accounts a set web_user_id = null
    where a.web_user_id = ${webUserId} and not exists (select from owed o where o.id = a.id)`)

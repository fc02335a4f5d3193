import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { isBilledElsewhere, type LedgerEntryKind } from './ledger-repository.ts'

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

/**
 * Ledger entry, or an amount that was agreed at the time of booking and is not in the ledger yet because the course has
 * not been settled.
 */
export type OwnLedgerEntry = {
  /** null: an agreed amount that is not in the ledger yet */
  id: number | null
  courseId: number | null
  seasonId: number | null
  season: string
  season2: string
  number: string
  name: string
  name2: string
  kind: LedgerEntryKind
  cents: number
  reason: string
  /** for a late cancellation, until when it was free: 'YYYY-MM-DD HH:MM:SS'; otherwise null */
  freeUntil: string | null
  at: string
}

export const listOwnLedgerEntries = (db: Queryable, webUserId: number): Promise<OwnLedgerEntry[]> =>
  db.query(sql`
    with entry as (
      select e.id, e.course_id, e.kind, e.cents, e.made_at, coalesce(r.text, '') as reason, r.free_until
      from ledger_accounts a join ledger_entries e on e.account_id = a.id left join ledger_reasons r on r.entry_id = e.id
      where a.web_user_id = ${webUserId}
    ), open as (
      select b.course_id, agreed.kind, agreed.cents, b.booked_at, agreed.position
      from bookings b join courses c on c.id = b.course_id cross join lateral (values
        ('fee', b.price_cents - b.processing_cents, 1), ('processing-fee', b.processing_cents, 2), ('energy-fee', b.energy_cents, 3)
      ) as agreed (kind, cents, position)
      where b.web_user_id = ${webUserId} and b.state = 1 and b.cancelled_at is null and agreed.cents > 0 and not exists (
        select from ledger_entries e where e.booking_id = b.id and e.kind in ('fee', 'processing-fee', 'energy-fee')) and not ${isBilledElsewhere}
    ), late as (
      -- As in a settlement, the charges for earlier late cancellations are limited to one full price in all.
      select o.course_id, max(o.booked_at) as at, coalesce((
          select sum(e.cents) from entry e where e.course_id = o.course_id and e.kind = 'late-cancellation'), 0) as charged,
        sum(o.cents) - (select max(b.price_cents + b.energy_cents) from bookings b
          where b.course_id = o.course_id and b.web_user_id = ${webUserId}) as beyond
      from open o group by o.course_id
    ), line (id, course_id, kind, cents, at, position, reason, free_until) as (
      select id, course_id, kind, cents, made_at, id, reason, free_until from entry
      union all select null, course_id, kind, cents, booked_at, position, '', null from open
      union all
      select null, course_id, 'late-cancellation', -least(charged, charged + beyond)::int, at, 4, '', null from late
      where least(charged, charged + beyond) > 0
    )
    select l.id, l.course_id as "courseId", s.id as "seasonId", coalesce(s.name, '') as season, coalesce(s.name2, '') as season2,
      coalesce(c.number, '') as number, coalesce(c.name, '') as name, coalesce(c.name2, '') as name2, l.kind, l.cents,
      l.reason, to_char(l.free_until, 'YYYY-MM-DD HH24:MI:SS') as "freeUntil", ${at(sql`l.at`)} as at
    from line l left join courses c on c.id = l.course_id left join seasons s on s.id = c.season_id
    order by s.starts_at desc nulls last, c.number, l.id is null, l.position`)

export type LedgerRow = {
  id: number
  webUserId: number | null
  name: string
  courseId: number | null
  number: string
  kind: LedgerEntryKind
  cents: number
  reason: string
  at: string
  /** id of the closed batch that contains the entry; null if there is none */
  batchId: number | null
}

export const listLedgerRows = (
  db: Queryable,
  { person, course, limit, after }: { person: number | null; course: number | null; limit: number; after: number },
): Promise<LedgerRow[]> =>
  db.query(sql`
    select e.id, u.id as "webUserId", coalesce(nullif(a.name, ''), concat_ws(' ', nullif(u.given_name, ''), u.family_name), '') as name,
      e.course_id as "courseId", coalesce(c.number, '') as number, e.kind, e.cents, coalesce(r.text, '') as reason, ${at(sql`e.made_at`)} as at,
      (select l.batch_id from batch_entries b join batch_lines l on l.id = b.line_id
        where b.entry_id = e.id and not b.is_released) as "batchId"
    from ledger_entries e join ledger_accounts a on a.id = e.account_id left join web_users u on u.id = a.web_user_id
      left join courses c on c.id = e.course_id left join ledger_reasons r on r.entry_id = e.id
    where e.id > ${after} and (${person}::int is null or a.web_user_id = ${person}::int)
      and (${course}::int is null or e.course_id = ${course}::int)
    order by e.id limit ${limit + 1}`)

export const countAttendanceProofs = async (db: Queryable): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from proofs p join web_users u on u.id = p.web_user_id
      where p.state = 'open' and u.deleted_at is null`)
  ).count

export const listPeopleNames = async (db: Queryable, webUserIds: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await db.query<{ id: number; name: string }>(sql`
        select id, concat_ws(' ', nullif(given_name, ''), family_name) as name from web_users where id = any(${[...webUserIds]}::int[])`)
    ).map(({ id, name }) => [id, name]),
  )

export const findSettlementTime = async (db: Queryable, settlementId: number): Promise<string | null> =>
  (await db.maybeOne<{ at: string }>(sql`select ${at(sql`made_at`)} as at from settlements where id = ${settlementId}`))
    ?.at ?? null

export type PrintedLedgerEntry = {
  courseId: number | null
  number: string
  name: string
  name2: string
  /** first and last day of the course, 'YYYY-MM-DD' */
  startsOn: string | null
  endsOn: string | null
  kind: LedgerEntryKind
  cents: number
  /** the payer's language */
  language: string
}

/** Ledger entries as printed on an invoice. */
export const listPrintedLedgerEntries = (
  db: Queryable,
  entryIds: readonly number[],
  webUserId: number | null,
): Promise<PrintedLedgerEntry[]> =>
  db.query(sql`
    select e.course_id as "courseId", coalesce(c.number, '') as number, coalesce(c.name, '') as name, coalesce(c.name2, '') as name2,
      c.starts_on::text as "startsOn", c.ends_on::text as "endsOn", e.kind, e.cents, coalesce((select language from web_users where id = ${webUserId}::int), 'de') as language
    from ledger_entries e left join courses c on c.id = e.course_id
    where e.id = any(${[...entryIds]}::bigint[]) order by c.number nulls last, e.id`)

export type MoneyTotals = Record<
  'charged' | 'waived' | 'refunded' | 'payroll' | 'invoiced' | 'paid' | 'open' | 'payrollOpen' | 'invoicedOpen',
  number
>

/**
 * SQL for the amount paid, in cents, of the ledger entries in a row of `line`: `cents` is their sum, `whole` that of the
 * whole batch line. Payments of an invoice are attributed to its entries in proportion: each part gets the difference of
 * two rounded running totals, so that the parts add up to the payments.
 * @param precedes condition for the entries `e` of courses `c` that belong to the parts before this one
 */
const paidOfLine = (precedes: SqlFragment) => sql`
  case when line.kind <> 'invoice' then case line.state when 'accepted' then line.cents else 0 end
    when line.whole = 0 then line.cents else (
      select round(paid * (before + line.cents) / line.whole) - round(paid * before / line.whole)
      from (
        select coalesce(sum(p.cents), 0)::numeric as paid from invoices i join payments p on p.invoice_number = i.number
        where i.line_id = line.id) payment cross join lateral (
        -- Only a partial payment is divided.
        select case when paid in (0, line.whole) then 0 else (
          select coalesce(sum(e.cents), 0) from batch_entries o join ledger_entries e on e.id = o.entry_id
            left join courses c on c.id = e.course_id
          where o.line_id = line.id and not o.is_released and ${precedes}) end as before) part) end`

/** SQL for the amount in cents of ledger account `a` that is neither paid nor paid out. */
export const openCentsOfAccount = sql`(
  coalesce((select sum(e.cents) from ledger_entries e where e.account_id = a.id), 0) - coalesce((
    select sum(${paidOfLine(sql`e.account_id < a.id`)}) from (
      select l.id, b.kind, l.state, l.cents as whole, sum(e.cents) as cents
      from ledger_entries e join batch_entries o on o.entry_id = e.id and not o.is_released
        join batch_lines l on l.id = o.line_id join batches b on b.id = l.batch_id
      where e.account_id = a.id group by l.id, b.kind
    ) line), 0))`

/**
 * SQL condition: an amount of person `u` is neither paid nor covered by a credit. All people are compared in one pass,
 * because a query per person would take seconds for a large ledger.
 */
export const isOwing = sql`u.id in (
  select a.web_user_id from ledger_accounts a join (
    select account_id, sum(cents) as cents from ledger_entries group by 1
    union all
    select account_id, -sum(${paidOfLine(sql`e.account_id < line.account_id`)}) from (
      select e.account_id, l.id, b.kind, l.state, l.cents as whole, sum(e.cents) as cents
      from ledger_entries e join batch_entries o on o.entry_id = e.id and not o.is_released
        join batch_lines l on l.id = o.line_id join batches b on b.id = l.batch_id
      group by 1, l.id, b.kind
    ) line group by 1
  ) s on s.account_id = a.id
  where a.web_user_id is not null group by 1 having sum(s.cents) > 0)`

/**
 * Totals of a season, or of all seasons, in cents: `charged` = `waived` + `refunded` + `paid` + `open`. `paid` contains
 * accepted payroll lines and payments of invoices. A batch line may contain entries of several seasons; its payments
 * are attributed to each season in proportion to the season's entries.
 */
export const findMoneyTotals = (db: Queryable, seasonId: number | null): Promise<MoneyTotals> =>
  db.one(sql`
    with entry as not materialized (
      select e.id, e.kind, e.cents from ledger_entries e left join courses c on c.id = e.course_id
      where ${seasonId}::int is null or c.season_id = ${seasonId}::int
    ), line as (
      select l.id, b.kind, l.state, l.cents as whole, sum(e.cents) as cents
      from entry e join batch_entries o on o.entry_id = e.id and not o.is_released join batch_lines l on l.id = o.line_id
        join batches b on b.id = l.batch_id
      group by l.id, b.kind
    ), settled as (
      select kind, cents, ${paidOfLine(sql`c.season_id < ${seasonId}::int`)} as paid from line
    ), billed as (
      select coalesce(sum(cents) filter (where kind = 'payroll'), 0)::int as payroll,
        coalesce(sum(cents) filter (where kind = 'invoice'), 0)::int as invoiced, coalesce(sum(paid), 0)::int as paid,
        coalesce(sum(cents - paid) filter (where kind = 'payroll'), 0)::int as "payrollOpen",
        coalesce(sum(cents - paid) filter (where kind = 'invoice'), 0)::int as "invoicedOpen"
      from settled
    ), charged as (
      select coalesce(sum(cents) filter (where kind in ('fee', 'processing-fee', 'energy-fee', 'late-cancellation', 'correction')), 0)::int as charged,
        -coalesce(sum(cents) filter (where kind = 'waiver'), 0)::int as waived,
        -coalesce(sum(cents) filter (where kind in ('lessons-cancelled', 'goodwill', 'write-off', 'floor')), 0)::int as refunded,
        coalesce(sum(cents), 0)::int as total
      from entry
    )
    select charged, waived, refunded, payroll, invoiced, paid, total - paid as open, "payrollOpen", "invoicedOpen"
    from charged, billed`)

/** What still has to happen with the money of a course, apart from its settlement. Amounts in cents. */
export type CourseRemainder = {
  courseId: number
  /** undecided sick notes and shift certificates that cover a lesson of the course */
  openProofs: number
  /** people with ledger entries that are not in a batch */
  unbilled: number
  unbilledCents: number
  payrollCents: number
  invoiceCents: number
  /** people whose invoice is not paid */
  unpaid: number
}

export const listCourseRemainders = (db: Queryable, courseIds: readonly number[]): Promise<CourseRemainder[]> =>
  db.query<CourseRemainder>(sql`
    with entry as materialized (
      select e.course_id, e.account_id, e.cents, o.line_id
      from ledger_entries e left join batch_entries o on o.entry_id = e.id and not o.is_released
      where e.course_id = any(${[...courseIds]}::int[])
    ), line as (
      select e.course_id, l.id, b.kind, l.state, l.cents as whole, sum(e.cents) as cents
      from entry e join batch_lines l on l.id = e.line_id join batches b on b.id = l.batch_id
      group by e.course_id, l.id, b.kind
    ), billed as (
      select course_id, kind, cents - ${paidOfLine(sql`
        (c.season_id, c.id) < (select season_id, id from courses where id = line.course_id)`)} as cents from line
    ), free as (
      select course_id, account_id, sum(cents) as cents from entry where line_id is null group by 1, 2 having sum(cents) <> 0
    )
    select c.id as "courseId",
      (select count(*)::int from proofs p where p.state = 'open' and exists (
        select from bookings b join course_dates d on d.course_id = b.course_id
        where b.course_id = c.id and b.web_user_id = p.web_user_id and b.state = 1 and b.cancelled_at is null
          and d.held_at::date between p.starts_on and p.ends_on)) as "openProofs",
      (select count(*)::int from free where course_id = c.id) as unbilled,
      (select coalesce(sum(cents), 0)::int from free where course_id = c.id) as "unbilledCents",
      (select coalesce(sum(cents), 0)::int from billed where course_id = c.id and kind <> 'invoice') as "payrollCents",
      (select coalesce(sum(cents), 0)::int from billed where course_id = c.id and kind = 'invoice') as "invoiceCents",
      (select count(*)::int from billed where course_id = c.id and kind = 'invoice' and cents <> 0) as unpaid
    from courses c where c.id = any(${[...courseIds]}::int[])`)

export const isClosingAutomatic = async (db: Queryable): Promise<boolean> =>
  (await db.one<{ isAutomatic: boolean }>(sql`select is_closing_automatic as "isAutomatic" from programme`)).isAutomatic

export const updateClosingAutomatic = (tx: Queryable, isAutomatic: boolean): Promise<number> =>
  tx.execute(sql`update programme set is_closing_automatic = ${isAutomatic}`)

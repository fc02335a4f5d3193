import { isOnPayroll, isPersonVerified } from '#server/features/session/account-repository.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import { hasPayerConsent } from './proof-repository.ts'
import { divideCredit, type Payer } from './rules.ts'

/**
 * Amount that a payer owes or is owed for ledger entries that are not in a batch. The ledger accounts of merged people
 * belong to one payer; each ledger account of a deleted person is a separate payer. A credit that is larger than the payer's
 * unpaid invoices is two payables, one after the other: the part that pays them, and the rest.
 */
export type Payable = {
  accountId: number
  /** null: deleted account */
  webUserId: number | null
  divisionId: number | null
  division: string
  cents: number
  payer: Payer
}
export type PayableEntries = Payable & { entryIds: number[] }

/**
 * SQL that selects payers with their unbilled amounts (payables).
 * @param webUserIds null: all people
 * @param exceptCourseIds courses whose entries are left out
 * @param entryIds SQL aggregate that collects the ids of a payer's ledger entries (alias `e`)
 * @param batchId draft that was previewed: IBANs replaced since it was made are left out
 * @param seasonId only entries of courses of this season; null: all entries
 */
const payables = (
  webUserIds: readonly number[] | null,
  exceptCourseIds: readonly number[],
  entryIds: SqlFragment,
  batchId: number | null = null,
  seasonId: number | null = null,
): SqlFragment => sql`
    with free as (
      select coalesce(a.web_user_id, -a.id) as payer, min(a.id) as account_id, sum(e.cents)::int as cents, ${entryIds} as entry_ids
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where not exists (select from batch_entries b where b.entry_id = e.id and not b.is_released)
        and (${webUserIds}::int[] is null or a.web_user_id = any(${webUserIds}::int[]))
        and (e.course_id is null or e.course_id <> all(${[...exceptCourseIds]}::int[]))
        and (${seasonId}::int is null or e.course_id in (select id from courses where season_id = ${seasonId}::int))
      group by 1
    ), returned as (
      select coalesce(a.web_user_id, -a.id) as payer, json_agg(l.route) as routes
      from batch_lines l join ledger_accounts a on a.id = l.account_id
      -- a cancelled invoice is replaced by one in the next batch
      where l.state = 'returned' and not exists (
        select from invoices i join invoices c on c.cancels = i.number where i.line_id = l.id)
      group by 1
    )
    select f.account_id as "accountId", u.id as "webUserId", d.id as "divisionId", coalesce(d.name, '') as division, f.cents,
      f.entry_ids as "entryIds", json_build_object(
        'billingType', case when u.id is null then a.billing_type else u.billing_type end,
        'isOnPayroll', u.id is not null and ${isOnPayroll},
        'isVerified', case when u.id is null then a.is_verified else ${isPersonVerified} end,
        'personnelNumber', coalesce(u.personnel_number, a.personnel_number),
        'hasConsent', case when u.id is null then a.has_consent else ${hasPayerConsent} end,
        'name', case when u.id is null then a.name else concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name) end,
        'street', coalesce(u.street, a.street), 'zip', coalesce(u.zip, a.zip), 'city', coalesce(u.city, a.city),
        'returned', coalesce(r.routes, '[]'),
        'iban', coalesce((
          select p.iban from payout_accounts p where p.web_user_id = u.id and not exists (
            select from batches b where b.id = ${batchId}::int and p.changed_at > b.created_at)), ''),
        'unpaidCents', case when f.cents < 0 then (
          select coalesce(sum(i.cents - (select coalesce(sum(p.cents), 0) from payments p where p.invoice_number = i.number)), 0)::int
          from invoices i join ledger_accounts o on o.id = i.account_id
          where coalesce(o.web_user_id, -o.id) = f.payer and i.cancels is null
            and not exists (select from invoices c where c.cancels = i.number)) else 0 end) as payer
    from free f join ledger_accounts a on a.id = f.account_id left join web_users u on u.id = a.web_user_id
      left join returned r on r.payer = f.payer left join divisions d on d.id = coalesce(u.division_id, a.division_id)
    order by f.account_id`

/**
 * Payers with entries that are not in a batch, ordered by account.
 * @param webUserIds null: all people
 * @param exceptCourseIds courses whose entries are left out
 * @param seasonId only entries of courses of this season; null: all entries
 */
export const listPayables = async (
  db: Queryable,
  webUserIds: readonly number[] | null = null,
  exceptCourseIds: readonly number[] = [],
  seasonId: number | null = null,
): Promise<Payable[]> =>
  (await db.query<Payable>(payables(webUserIds, exceptCourseIds, sql`null`, null, seasonId))).flatMap(divideCredit)

/**
 * All payables with their entries, which takes several times as long as `listPayables`. Both parts of a divided credit
 * have all entries.
 */
export const listPayableEntries = async (
  tx: Queryable,
  exceptCourseIds: readonly number[],
  batchId: number,
): Promise<PayableEntries[]> =>
  (await tx.query<PayableEntries>(payables(null, exceptCourseIds, sql`json_agg(e.id order by e.id)`, batchId))).flatMap(
    divideCredit,
  )

/** Ids of settled courses with entries that are not in a batch. */
export const listCoursesWithPayables = async (db: Queryable): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select distinct e.course_id as id from ledger_entries e
      where e.settlement_id is not null and not exists (
        select from batch_entries b where b.entry_id = e.id and not b.is_released) order by 1`)
  ).map(({ id }) => id)

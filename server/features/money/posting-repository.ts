import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { Posting } from './posting-rules.ts'

export type StoredPosting = Posting & { webUserId: number | null; name: string }

/**
 * SQL for all documents that are posted: invoices, payments of invoices, and refunds that the bank has accepted. A refund
 * that came back is posted if its transfer was.
 */
const documents = sql`
  select 'invoice ' || i.number as document, case when i.cancels is null then 'invoice' else 'cancellation' end as type,
    i.issued_on as day, abs(i.cents) as cents, coalesce(i.cancels, i.number) as reference,
    case when i.cancels is null then '' else i.number end as other_reference,
    case when i.cancels is null then i.due_on end as due_on, i.account_id
  from invoices i
  union all
  select 'payment ' || p.id, case when p.set_off_line_id is not null then 'setOff' when p.cents < 0 then 'paidBack' else 'payment' end,
    p.paid_on, abs(p.cents), p.invoice_number, coalesce(l.reference, ''), null, i.account_id
  from payments p join invoices i on i.number = p.invoice_number left join batch_lines l on l.id = p.set_off_line_id
  union all
  select 'refund ' || l.reference, 'refund', b.answered_at::date, -l.cents, l.reference, '', null, l.account_id
  from batch_lines l join batches b on b.id = l.batch_id
  where b.kind = 'refund' and l.route = 'payout' and b.answered_at is not null
    and (l.state = 'accepted' or exists (select from postings where document = 'refund ' || l.reference))
  union all
  select 'returned ' || l.reference, 'returned', r.booked_on, -l.cents, l.reference, '', null, l.account_id
  from bank_lines r join batch_lines l on l.id = r.batch_line_id
  where exists (select from postings where document = 'refund ' || l.reference)`

const columns = sql`
  d.document, d.type, d.day::text, d.cents, d.reference, d.other_reference as "otherReference", d.due_on::text as "dueOn",
  u.id as "webUserId", coalesce(nullif(a.name, ''), concat_ws(' ', nullif(u.given_name, ''), u.family_name), '') as name
  from (${documents}) d join ledger_accounts a on a.id = d.account_id left join web_users u on u.id = a.web_user_id
    left join postings p on p.document = d.document`

/**
 * Documents that are in no accounting file, oldest first.
 * @param divisionId null: of people of all divisions
 */
export const listOpenPostings = (
  db: Queryable,
  { from, until, divisionId }: { from: string; until: string; divisionId: number | null },
): Promise<StoredPosting[]> =>
  db.query(sql`
    select ${columns}
    where p.document is null and d.day between ${from}::date and ${until}::date
      and (${divisionId}::int is null or coalesce(u.division_id, a.division_id) = ${divisionId}::int)
    order by d.day, d.reference, d.document`)

export const listPostingsOfBatch = (db: Queryable, batchId: number): Promise<StoredPosting[]> =>
  db.query(sql`select ${columns} where p.batch_id = ${batchId} order by d.day, d.reference, d.document`)

export const insertPostings = (tx: Queryable, batchId: number, postings: readonly Posting[]): Promise<number> =>
  tx.execute(sql`
    insert into postings (document, batch_id, cents)
    select document, ${batchId}, cents from unnest(${postings.map(({ document }) => document)}::text[],
      ${postings.map(({ cents }) => cents)}::int[]) p (document, cents)`)

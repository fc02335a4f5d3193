import { sql } from '#server/db/client.ts'
import type { AuditRule } from './audit-rule.ts'

/** Invariants of the ledger, settlements, batches and invoices (money.md section 8). */
export const ledgerRules: AuditRule[] = [
  {
    what: 'nobody’s balance is below 0',
    query: sql`
      select format('ledger account %s: the balance is %s cents', min(a.id), sum(e.cents)) as finding
      from ledger_accounts a join ledger_entries e on e.account_id = a.id
      group by coalesce(a.web_user_id, -a.id) having sum(e.cents) < 0 order by 1`,
  },
  {
    what: 'the entries of the settlements of a booking add up to the latest one',
    query: sql`
      with latest as (
        select distinct on (course_id) id, course_id from settlements order by course_id, number desc
      ), settled as (
        select l.booking_id, sum(c.value::int) as cents
        from latest s join settlement_lines l on l.settlement_id = s.id, jsonb_each_text(l.facts -> 'cents') c
        where c.key <> 'late-cancellation' group by 1
      ), entered as (
        select e.booking_id, sum(e.cents) as cents from ledger_entries e
        where e.settlement_id is not null and e.kind not in ('floor', 'late-cancellation') group by 1
      )
      select format('booking %s: settled for %s cents, the ledger has %s', s.booking_id, s.cents, coalesce(e.cents, 0)) as finding
      from settled s left join entered e using (booking_id) where s.cents <> coalesce(e.cents, 0) order by s.booking_id`,
  },
  {
    what: 'a batch line is the sum of its entries',
    query: sql`
      select format('batch line %s: %s cents, its entries have %s', l.reference, l.cents, coalesce(sum(e.cents), 0)) as finding
      from batch_lines l left join batch_entries b on b.line_id = l.id left join ledger_entries e on e.id = b.entry_id
      group by l.id having l.cents <> coalesce(sum(e.cents), 0) order by l.id`,
  },
  {
    what: 'an entry is in one batch at most',
    query: sql`
      select format('ledger entry %s: in %s batches', entry_id, count(*)) as finding
      from batch_entries where not is_released group by entry_id having count(*) > 1 order by entry_id`,
  },
  {
    what: 'the numbers of invoices have no gap within a year',
    query: sql`
      select format('invoices of %s: %s, the highest number is %s', year, count(*), max(sequence)) as finding
      from invoices group by year having count(*) <> max(sequence) order by year`,
  },
  {
    what: 'an invoice is its line, a cancelling one its reverse, and none is paid more than it asks',
    query: sql`
      select format('invoice %s: %s cents, its line has %s', i.number, i.cents, l.cents) as finding
      from invoices i join batch_lines l on l.id = i.line_id where i.cents <> l.cents
      union all
      select format('invoice %s: %s cents, the cancelled one has %s', i.number, i.cents, o.cents)
      from invoices i join invoices o on o.number = i.cancels where i.cents <> -o.cents
      union all
      select format('invoice %s: %s cents, paid %s', i.number, i.cents, sum(p.cents))
      from invoices i join payments p on p.invoice_number = i.number group by i.number having sum(p.cents) > i.cents
      order by 1`,
  },
  {
    what: 'a line of a bank statement is one payment',
    query: sql`
      select format('bank line %s: %s cents of %s, its payment has %s', b.id, b.cents, b.booked_on, coalesce(p.cents, 0)) as finding
      from bank_lines b left join payments p on p.bank_line_id = b.id
      where (b.cents, b.booked_on) is distinct from (p.cents, p.paid_on) order by b.id`,
  },
  {
    what: 'a closed batch has its file',
    query: sql`
      select format('batch %s: its file is missing or another one', b.id) as finding
      from batches b left join batch_files f on f.batch_id = b.id and f.format in ('csv', 'zip')
      where b.closed_at is not null and sha256(f.content) is distinct from b.sha256 order by b.id`,
  },
]

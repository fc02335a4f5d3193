import { SETTLEMENT_ENTRY_KINDS } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { retentionIntervalOf, type SqlFragment } from '#server/platform/db/sql.ts'

export type AuditRule = {
  /** the invariant, described for the operator */
  what: string
  /** query that returns one row per violation, with the text in column `finding` */
  query: SqlFragment
}

const membersOf = (object: string, keys: readonly string[]) =>
  keys.map(key => `'"${key}":' || (${object} -> '${key}')::text`).join(` || ',' || `)
/** Keys of a settlement line that precede its amounts in the hashed text. */
const FACTS = ['bookingId', 'webUserId', 'counted', 'present', 'excused', 'needed', 'promised', 'delivered', 'outcome']
const AMOUNTS = SETTLEMENT_ENTRY_KINDS.filter(kind => kind !== 'floor')
/** JSON text of the settlement line `l`, as hashed by `hashOfLines`. */
const textOfLine = sql.raw(
  `'{' || ${membersOf('l.facts', FACTS)} || ',"cents":{' || ${membersOf("l.facts -> 'cents'", AMOUNTS)} || '}}'`,
)

/** Invariants of the ledger, settlements, batches and invoices (money.md section 8). */
export const ledgerAuditRules: AuditRule[] = [
  {
    what: 'nobody’s balance is below 0',
    query: sql`
      select format('ledger account %s: the balance is %s cents', min(a.id), sum(e.cents)) as finding
      from ledger_accounts a join ledger_entries e on e.account_id = a.id
      group by coalesce(a.web_user_id, -a.id) having sum(e.cents) < 0 order by 1`,
  },
  {
    what: 'the entries of a booking up to its latest settlement are the amounts of that settlement, kind by kind',
    query: sql`
      with latest as (
        select distinct on (course_id) id, course_id, made_at, coalesce((
          select min(e.id) from ledger_entries e where e.settlement_id = s.id and e.course_id = s.course_id), 0) as first_entry
        from settlements s order by course_id, number desc
      )
      select format('booking %s: settled for %s cents of %s, the ledger has %s', l.booking_id, c.value, c.key, e.cents) as finding
      from latest s join settlement_lines l on l.settlement_id = s.id cross join jsonb_each_text(l.facts -> 'cents') c
        cross join lateral (
          select coalesce(sum(cents), 0) as cents from ledger_entries
          where course_id = s.course_id and booking_id = l.booking_id and kind = c.key
            and (settlement_id is not null or (made_at, id) < (s.made_at, s.first_entry))
        ) e
      where c.value::int <> e.cents order by l.booking_id, c.key`,
  },
  {
    what: 'the facts of a settlement are those that it was made with',
    query: sql`
      select format('settlement %s of course %s: its facts are not those that it was made with', number, course_id) as finding
      from settlements s
      where facts_hash <> sha256(convert_to('[' || (
        select coalesce(string_agg(${textOfLine}, ',' order by l.booking_id), '') from settlement_lines l where l.settlement_id = s.id
      ) || ']', 'UTF8')) order by id`,
  },
  {
    what: 'the amounts of a settlement follow from its facts (money.md rules 4 to 9)',
    query: sql`
      with line as (
        select l.settlement_id, l.booking_id, f.*, c.*, f.present + f.excused as attended,
          ceil(c.fee * (f.promised - f.delivered)::numeric / greatest(f.promised, 1)) as of_fee,
          ceil(c."energy-fee" * (f.promised - f.delivered)::numeric / greatest(f.promised, 1)) as of_energy
        from settlement_lines l
          cross join jsonb_to_record(l.facts) f (counted int, present int, excused int, needed int, promised int, delivered int, outcome text)
          cross join jsonb_to_record(l.facts -> 'cents') c (fee int, "processing-fee" int, "energy-fee" int, "lessons-cancelled" int, waiver int)
      ), fault as (
        select *, case
          when attended > counted or delivered > promised or needed not in (ceil(counted * 2 / 3.0), ceil(counted / 3.0))
            then format('%s of %s lessons, %s needed, %s of %s delivered', attended, counted, needed, delivered, promised)
          when counted > 0 and outcome in ('regular', 'not-regular') and (attended >= needed) <> (outcome = 'regular')
            then format('%s with %s of %s lessons, %s needed', outcome, attended, counted, needed)
          when outcome in ('undecided', 'ended', 'course-cancelled') and (fee, "processing-fee", "energy-fee") <> (0, 0, 0)
            then format('%s, and charged', outcome)
          when "lessons-cancelled" <> - of_fee - of_energy
            then format('%s of %s lessons delivered, %s cents refunded', delivered, promised, - "lessons-cancelled")
          when waiver <> case outcome when 'regular' then of_fee - fee - "processing-fee" else 0 end
            then format('%s, %s cents waived', outcome, - waiver)
        end as why from line
      )
      select format('settlement %s of course %s, booking %s: %s', s.number, s.course_id, f.booking_id, f.why) as finding
      from fault f join settlements s on s.id = f.settlement_id where f.why is not null order by s.id, f.booking_id`,
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
    what: 'no invoice was closed after attendance had changed since the settlement of its course',
    query: sql`
      with billed as (
        select distinct b.id as batch_id, b.closed_at, s.course_id, s.made_at
        from batches b join batch_lines l on l.batch_id = b.id join batch_entries i on i.line_id = l.id
          join ledger_entries e on e.id = i.entry_id join lateral (
            select course_id, made_at from settlements where course_id = e.course_id and made_at <= b.closed_at
            order by number desc limit 1) s on true
        where b.kind = 'invoice' and b.closed_at is not null
      )
      select format('batch %s: closed with entries of course %s, whose attendance had changed since it was settled', batch_id, c.number) as finding
      from billed b join courses c on c.id = b.course_id
      where exists (
        -- the newest change before the batch was closed differs from the newest one before the settlement
        select from (
          select distinct on (a.course_date_id, a.web_user_id) a.* from attendance_changes a join course_dates d on d.id = a.course_date_id
          where d.course_id = b.course_id and d.state = 'planned' and not d.is_excluded and a.received_at <= b.closed_at
          order by a.course_date_id, a.web_user_id, a.changed_at desc, a.received_at desc
        ) n where n.received_at > b.made_at and n.is_present is distinct from (
          select p.is_present from attendance_changes p
          where (p.course_date_id, p.web_user_id) = (n.course_date_id, n.web_user_id) and p.received_at <= b.made_at
          order by p.changed_at desc, p.received_at desc limit 1))
      order by batch_id, c.number`,
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
      from invoices i join payments p on p.invoice_number = i.number group by i.number having sum(p.cents) > i.cents or sum(p.cents) < 0
      order by 1`,
  },
  {
    what: 'a line of a bank statement is its payments, unless it was dropped or returned a refund',
    query: sql`
      select format('bank line %s: %s cents of %s, its payments have %s', b.id, b.cents, b.booked_on, coalesce(p.cents, 0)) as finding
      from bank_lines b left join lateral (
        select sum(cents)::int as cents, bool_and(paid_on = b.booked_on) as is_same_day from payments where bank_line_id = b.id) p on true
      where case when b.is_dropped or b.batch_line_id is not null then p.cents is not null
        else p.cents is distinct from b.cents or not p.is_same_day end
      order by b.id`,
  },
  {
    what: 'a posting of an accounting file has the amount of its document',
    query: sql`
      select format('batch %s: %s cents for %s, the document has %s', p.batch_id, p.cents, p.document, d.cents) as finding
      from postings p left join (
        select 'invoice ' || number as document, abs(cents) as cents from invoices
        union all select 'payment ' || id, abs(cents) from payments
        union all select kind || ' ' || reference, abs(cents) from batch_lines cross join (values ('refund'), ('returned')) k (kind)
      ) d on d.document = p.document
      where p.cents is distinct from d.cents order by p.document`,
  },
  {
    what: 'a closed batch has its file until its retention ends',
    query: sql`
      select format('batch %s: its file is missing or another one', b.id) as finding
      from batches b left join batch_files f on f.batch_id = b.id and f.format in ('csv', 'zip')
      where b.closed_at >= date_trunc('year', clock_timestamp()) - ${retentionIntervalOf('billing')}::interval
        and sha256(f.content) is distinct from b.sha256 order by b.id`,
  },
]

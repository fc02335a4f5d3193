import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { CsvLayout } from '#server/platform/files/read-bank-csv.ts'

export type NewBankLine = {
  hash: Buffer
  bookedOn: string
  /** negative: debit */
  cents: number
  source: string
  isDropped?: boolean
  repeatsPaymentId?: number | null
  batchLineId?: number
}

export const insertBankLine = async (tx: Queryable, line: NewBankLine): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into bank_lines (hash, booked_on, cents, source, is_dropped, repeats_payment_id, batch_line_id)
      values (${line.hash}, ${line.bookedOn}, ${line.cents}, ${line.source}, ${line.isDropped ?? false},
        ${line.repeatsPaymentId ?? null}, ${line.batchLineId ?? null}) returning id`)
  ).id

/** Recorded turnover. `hash`: hexadecimal. `numbers`: the invoices that it paid. */
export type RecordedBankLine = { hash: string; bookedOn: string; cents: number; numbers: string[] }

/** Recorded turnovers of these days. */
export const listBankLines = (tx: Queryable, days: readonly string[]): Promise<RecordedBankLine[]> =>
  tx.query(sql`
    select encode(b.hash, 'hex') as hash, b.booked_on::text as "bookedOn", b.cents,
      array(select coalesce(p.invoice_number, '') from payments p where p.bank_line_id = b.id or p.id = b.repeats_payment_id) as numbers
    from bank_lines b where b.booked_on = any(${[...days]}::date[]) order by b.id`)

/**
 * Payment of an invoice. `source`: of the bank statement, 'hand' if it was entered. `hash`: of its turnover, hexadecimal;
 * '' if it was entered
 */
export type RecordedPayment = {
  id: number
  number: string
  paidOn: string
  cents: number
  source: string
  hash: string
}

/** Payments of these invoices that no dropped turnover repeats, without set-offs. */
export const listPayments = (tx: Queryable, numbers: readonly string[]): Promise<RecordedPayment[]> =>
  tx.query(sql`
    select p.id, p.invoice_number as number, p.paid_on::text as "paidOn", p.cents,
      case when b.id is null then 'hand' else b.source end as source, coalesce(encode(b.hash, 'hex'), '') as hash
    from payments p left join bank_lines b on b.id = p.bank_line_id
    where p.invoice_number = any(${[...numbers]}::text[]) and p.set_off_line_id is null
      and not exists (select from bank_lines d where d.repeats_payment_id = p.id)
    order by p.id`)

/** Line of a refund that was transferred. `cents`: what was transferred */
export type TransferredRefund = { id: number; reference: string; cents: number; webUserId: number | null }

export const listTransferredRefunds = (tx: Queryable, references: readonly string[]): Promise<TransferredRefund[]> =>
  tx.query(sql`
    select l.id, l.reference, -l.cents as cents, a.web_user_id as "webUserId"
    from batch_lines l join batches b on b.id = l.batch_id join ledger_accounts a on a.id = l.account_id
    where l.reference = any(${[...references]}::text[]) and b.kind = 'refund' and l.route = 'payout' and l.state <> 'returned'`)

export const listCsvLayouts = (db: Queryable): Promise<CsvLayout[]> =>
  db.query(sql`select header, columns from bank_csv_layouts`)

export const upsertCsvLayout = (
  tx: Queryable,
  { header, columns }: CsvLayout,
  madeBy: number | null,
): Promise<number> =>
  tx.execute(sql`
    insert into bank_csv_layouts (header, columns, made_by) values (${header}, ${JSON.stringify(columns)}, ${madeBy})
    on conflict (header) do update set columns = excluded.columns, made_by = excluded.made_by, made_at = excluded.made_at`)

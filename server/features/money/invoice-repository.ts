import type { INVOICE_DELIVERIES } from '#contract/office/money.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { Payer } from './rules.ts'

export type NewInvoice = Pick<Payer, 'name' | 'street' | 'zip' | 'city'> & {
  number: string
  year: number
  sequence: number
  lineId: number | null
  accountId: number
  issuedOn: string
  dueOn: string
  cents: number
  cancels: string | null
  pdf: Buffer
}

export const findCurrentDate = (tx: Queryable): Promise<{ today: string; year: number }> =>
  tx.one(sql`select clock_timestamp()::date::text as today, extract(year from clock_timestamp()::date)::int as year`)

/** Next invoice number of a year. Requires the batch lock. */
export const nextInvoiceSequence = async (tx: Queryable, year: number): Promise<number> =>
  (
    await tx.one<{ next: number }>(sql`
    select coalesce(max(sequence), 0) + 1 as next from invoices where year = ${year}`)
  ).next

export const insertInvoice = (tx: Queryable, invoice: NewInvoice): Promise<number> =>
  tx.execute(sql`
    insert into invoices (number, year, sequence, line_id, account_id, name, street, zip, city, issued_on, due_on, cents, cancels, pdf)
    values (${invoice.number}, ${invoice.year}, ${invoice.sequence}, ${invoice.lineId}, ${invoice.accountId}, ${invoice.name},
      ${invoice.street}, ${invoice.zip}, ${invoice.city}, ${invoice.issuedOn}, ${invoice.dueOn}, ${invoice.cents}, ${invoice.cancels},
      ${invoice.pdf})`)

export type InvoiceRow = {
  number: string
  webUserId: number | null
  name: string
  street: string
  zip: string
  city: string
  issuedOn: string
  dueOn: string
  cents: number
  paidCents: number
  state: 'open' | 'paid' | 'overdue' | 'cancelled' | 'cancelling'
  cancels: string
  lineId: number | null
  accountId: number
  /** level of the last reminder; 0: not reminded yet */
  reminders: number
  remindedOn: string | null
}
/** How the invoice reached the payer. */
export type Delivery = { delivery: (typeof INVOICE_DELIVERIES)[number] }
const invoiceColumns = sql`
  i.number, u.id as "webUserId", i.name, i.street, i.zip, i.city, i.issued_on::text as "issuedOn", i.due_on::text as "dueOn", i.cents,
  p.cents as "paidCents", case when i.cancels is not null then 'cancelling'
    when exists (select from invoices c where c.cancels = i.number) then 'cancelled'
    when p.cents >= i.cents then 'paid' when i.due_on < clock_timestamp()::date then 'overdue' else 'open' end as state,
  coalesce(i.cancels, '') as cancels, i.line_id as "lineId", i.account_id as "accountId", i.reminders,
  i.reminded_at::date::text as "remindedOn"
  from invoices i join ledger_accounts a on a.id = i.account_id left join web_users u on u.id = a.web_user_id,
    lateral (select coalesce(sum(cents), 0)::int as cents from payments where invoice_number = i.number) p`

export const listInvoices = (
  db: Queryable,
  {
    limit,
    after,
    states,
    level,
    isUndelivered,
  }: {
    limit: number
    after: string
    states: readonly string[] | null
    level: number | null
    isUndelivered: boolean
  },
): Promise<(InvoiceRow & Delivery)[]> =>
  db.query(sql`
    select invoice.*, delivery from (select ${invoiceColumns}) invoice, lateral (select case
        when "webUserId" is null then 'none'
        when exists (select from letters where web_user_id = "webUserId" and printed_at is null
          and payload ->> 'invoice' = number) then 'letter'
        else coalesce((
          select case when bool_or(due_at = 'infinity') then 'refused' else 'waiting' end from mails
          where web_user_id = "webUserId" and sent_at is null and position('@' in recipient) > 0
            and payload ->> 'invoice' = number having count(*) > 0), 'delivered') end as delivery) d
    where number > ${after} and (${states}::text[] is null or state = any(${states}::text[]))
      and (${level}::int is null or reminders = ${level}::int) and (not ${isUndelivered} or delivery <> 'delivered')
    order by number limit ${limit + 1}`)

/** Invoices to a person, newest first. */
export const listOwnInvoices = (db: Queryable, webUserId: number): Promise<InvoiceRow[]> =>
  db.query(sql`select ${invoiceColumns} where u.id = ${webUserId} order by i.issued_on desc, i.number desc`)

/** Invoices issued by a batch. */
export const listInvoicesOfBatch = (tx: Queryable, batchId: number): Promise<InvoiceRow[]> =>
  tx.query(sql`
    select ${invoiceColumns} where i.line_id in (select id from batch_lines where batch_id = ${batchId}) order by i.number`)
export const listInvoicesByNumber = (db: Queryable, numbers: readonly string[]): Promise<InvoiceRow[]> =>
  db.query(sql`select ${invoiceColumns} where i.number = any(${[...numbers]}::text[]) order by i.number`)
export const findInvoice = (db: Queryable, number: string): Promise<InvoiceRow | null> =>
  db.maybeOne(sql`select ${invoiceColumns} where i.number = ${number}`)
export const findInvoicePdf = (
  db: Queryable,
  number: string,
): Promise<{ webUserId: number | null; pdf: Buffer } | null> =>
  db.maybeOne(sql`
    select u.id as "webUserId", i.pdf from invoices i join ledger_accounts a on a.id = i.account_id
      left join web_users u on u.id = a.web_user_id where i.number = ${number} and i.pdf <> ''`)
export const insertPayment = (
  tx: Queryable,
  payment: {
    number: string
    paidOn: string
    cents: number
    madeBy: number | null
    bankLineId?: number
    setOffLineId?: number
  },
): Promise<number> =>
  tx.execute(sql`
    insert into payments (invoice_number, paid_on, cents, made_by, bank_line_id, set_off_line_id)
    values (${payment.number}, ${payment.paidOn}, ${payment.cents}, ${payment.madeBy}, ${payment.bankLineId ?? null},
      ${payment.setOffLineId ?? null})`)
/** Counts payments of this amount on this day, and those in bank statements within ten days of it. */
export const countSamePayments = async (
  tx: Queryable,
  number: string,
  paidOn: string,
  cents: number,
): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
    select count(*)::int as count from payments
    where invoice_number = ${number} and cents = ${cents}
      and abs(paid_on - ${paidOn}::date) <= case when bank_line_id is null then 0 else 10 end`)
  ).count
export const updateInvoiceReminded = (tx: Queryable, number: string, level: number): Promise<number> =>
  tx.execute(sql`update invoices set reminded_at = clock_timestamp(), reminders = ${level} where number = ${number}`)

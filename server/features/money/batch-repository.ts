import type { BATCH_KINDS } from '#contract/acts/batches.ts'
import { type Queryable, sql } from '#server/db/client.ts'
import type { SqlFragment } from '#server/db/sql.ts'
import { isOnPayroll, isVerified } from '#server/features/session/account-repository.ts'
import type { Payer } from './rules.ts'

export type BatchKind = (typeof BATCH_KINDS)[number]

/** What a payer owes by entries that are in no batch. Merged and deleted accounts count as one payer each. */
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

/** Serializes batches, invoice numbers and payments until the transaction ends. */
export const lockBatches = (tx: Queryable): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('batches'))`)

/** @param webUserIds null: all @param entryIds aggregate of the entries `e` of a payer */
const payables = (webUserIds: readonly number[] | null, entryIds: SqlFragment): SqlFragment => sql`
    with free as (
      select coalesce(a.web_user_id, -a.id) as payer, min(a.id) as account_id, sum(e.cents)::int as cents, ${entryIds} as entry_ids
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where not exists (select from batch_entries b where b.entry_id = e.id and not b.is_released)
        and (${webUserIds}::int[] is null or a.web_user_id = any(${webUserIds}::int[]))
      group by 1
    ), returned as (
      select coalesce(a.web_user_id, -a.id) as payer, json_agg(l.route) as routes
      from batch_lines l join ledger_accounts a on a.id = l.account_id where l.state = 'returned' group by 1
    )
    select f.account_id as "accountId", u.id as "webUserId", d.id as "divisionId", coalesce(d.name, '') as division, f.cents,
      f.entry_ids as "entryIds", json_build_object(
        'billingType', case when u.id is null then a.billing_type else u.billing_type end,
        'isOnPayroll', u.id is not null and ${isOnPayroll},
        'isVerified', case when u.id is null then a.is_verified else ${isVerified} end,
        'personnelNumber', coalesce(u.personnel_number, a.personnel_number),
        'hasConsent', exists (
          select from payer_consents c where c.web_user_id = u.id and c.personnel_number = u.personnel_number),
        'name', case when u.id is null then a.name else concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name) end,
        'street', coalesce(u.street, a.street), 'zip', coalesce(u.zip, a.zip), 'city', coalesce(u.city, a.city),
        'returned', coalesce(r.routes, '[]'),
        'hasIban', exists (select from payout_accounts p where p.web_user_id = u.id),
        'unpaidCents', case when f.cents < 0 then (
          select coalesce(sum(i.cents - (select coalesce(sum(p.cents), 0) from payments p where p.invoice_number = i.number)), 0)::int
          from invoices i join ledger_accounts o on o.id = i.account_id
          where coalesce(o.web_user_id, -o.id) = f.payer and i.cancels is null
            and not exists (select from invoices c where c.cancels = i.number)) else 0 end) as payer
    from free f join ledger_accounts a on a.id = f.account_id left join web_users u on u.id = a.web_user_id
      left join returned r on r.payer = f.payer left join divisions d on d.id = coalesce(u.division_id, a.division_id)
    order by f.account_id`

/** Payers with entries that are in no batch, in the order of their accounts. @param webUserIds null: all */
export const listPayables = (db: Queryable, webUserIds: readonly number[] | null = null): Promise<Payable[]> =>
  db.query(payables(webUserIds, sql`null`))

/** All of them with their entries, which takes several times as long. */
export const listPayableEntries = (tx: Queryable): Promise<PayableEntries[]> =>
  tx.query(payables(null, sql`json_agg(e.id order by e.id)`))

export type BatchRow = {
  id: number
  kind: BatchKind
  divisionId: number | null
  state: 'draft' | 'closed' | 'answered'
  count: number
  cents: number
  sha256: string
  createdAt: string
  closedAt: string | null
}

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`
const batchColumns = sql`
  b.id, b.kind, b.division_id as "divisionId",
  case when b.closed_at is null then 'draft' when b.answered_at is null then 'closed' else 'answered' end as state,
  (select count(*)::int from batch_lines where batch_id = b.id) as count,
  (select coalesce(sum(cents), 0)::int from batch_lines where batch_id = b.id) as cents,
  coalesce(encode(b.sha256, 'hex'), '') as sha256, ${at(sql`b.created_at`)} as "createdAt", ${at(sql`b.closed_at`)} as "closedAt"`

export const insertBatch = async (
  tx: Queryable,
  { kind, divisionId, createdBy }: { kind: BatchKind; divisionId: number | null; createdBy: number | null },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into batches (kind, division_id, created_by) values (${kind}, ${divisionId}, ${createdBy}) returning id`)
  ).id

export const findBatch = (db: Queryable, id: number): Promise<BatchRow | null> =>
  db.maybeOne(sql`select ${batchColumns} from batches b where b.id = ${id}`)

export const listBatches = (db: Queryable, { limit, after }: { limit: number; after: number }): Promise<BatchRow[]> =>
  db.query(sql`select ${batchColumns} from batches b where b.id > ${after} order by b.id limit ${limit + 1}`)

export type BatchLine = {
  id: number
  accountId: number
  reference: string
  webUserId: number | null
  name: string
  cents: number
  state: 'sent' | 'accepted' | 'returned'
  why: string
}
export const listBatchLines = (db: Queryable, batchId: number): Promise<BatchLine[]> =>
  db.query(sql`
    select l.id, l.account_id as "accountId", l.reference, u.id as "webUserId",
      coalesce(nullif(a.name, ''), concat_ws(' ', nullif(u.given_name, ''), u.family_name), '') as name, l.cents, l.state, l.why
    from batch_lines l join ledger_accounts a on a.id = l.account_id left join web_users u on u.id = a.web_user_id
    where l.batch_id = ${batchId} order by l.id`)

/** @returns the lines' ids in the same order */
export async function insertBatchLines(
  tx: Queryable,
  batchId: number,
  lines: readonly (Pick<PayableEntries, 'accountId' | 'cents' | 'entryIds'> & { reference: string; route: string })[],
): Promise<number[]> {
  const columnOf = <Key extends keyof (typeof lines)[number]>(key: Key) => lines.map(line => line[key])
  const rows = await tx.query<{ id: number }>(sql`
    insert into batch_lines (batch_id, account_id, reference, cents, route)
    select ${batchId}, account_id, reference, cents, route
    from unnest(${columnOf('accountId')}::int[], ${columnOf('reference')}::text[], ${columnOf('cents')}::int[],
      ${columnOf('route')}::text[]) with ordinality l (account_id, reference, cents, route, number)
    order by number returning id`)
  const ids = rows.map(({ id }) => id)
  await tx.execute(sql`
    insert into batch_entries (line_id, entry_id) select * from unnest(
      ${lines.flatMap(({ entryIds }, index) => entryIds.map(() => ids[index]))}::int[],
      ${lines.flatMap(({ entryIds }) => entryIds)}::bigint[])`)
  // Cached plans of the money screen were made for smaller tables: with them it takes longer than a statement may.
  await tx.execute(sql`analyze batch_lines, batch_entries`)
  return ids
}

export const updateClosed = (tx: Queryable, id: number, sha256: Buffer, closedBy: number | null): Promise<number> =>
  tx.execute(sql`
    update batches set closed_at = clock_timestamp(), closed_by = ${closedBy}, sha256 = ${sha256} where id = ${id}`)

export const insertBatchFile = (tx: Queryable, batchId: number, format: string, content: Buffer): Promise<number> =>
  tx.execute(sql`insert into batch_files (batch_id, format, content) values (${batchId}, ${format}, ${content})`)

/** Bytes read from the database at once: the file of a large season does not fit into memory many times. */
const CHUNK_BYTES = 1 << 20

/** A file of a batch, read from the database as it is sent. @returns null: there is none */
export async function openBatchFile(
  db: Queryable,
  batchId: number,
  format: string,
): Promise<ReadableStream<Uint8Array> | null> {
  const file = await db.maybeOne<{ size: number }>(sql`
    select octet_length(content) as size from batch_files where batch_id = ${batchId} and format = ${format}`)
  if (file === null) return null
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const { chunk } = await db.one<{ chunk: Buffer }>(sql`
        select substring(content from ${sent + 1}::int for ${CHUNK_BYTES}::int) as chunk
        from batch_files where batch_id = ${batchId} and format = ${format}`)
      sent += chunk.byteLength
      controller.enqueue(chunk)
      if (sent >= file.size) controller.close()
    },
  })
}

/** Accepts or returns lines; entries of returned ones are free again. */
export async function updateLines(
  tx: Queryable,
  lineIds: readonly number[],
  state: 'accepted' | 'returned',
  why = '',
): Promise<void> {
  await tx.execute(sql`update batch_lines set state = ${state}, why = ${why} where id = any(${[...lineIds]}::int[])`)
  if (state === 'returned')
    await tx.execute(sql`update batch_entries set is_released = true where line_id = any(${[...lineIds]}::int[])`)
}
export const listEntriesOfLine = async (tx: Queryable, lineId: number): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(
      sql`select entry_id as id from batch_entries where line_id = ${lineId} order by entry_id`,
    )
  ).map(({ id }) => id)

export const updateAnswered = (tx: Queryable, id: number): Promise<number> =>
  tx.execute(sql`update batches set answered_at = clock_timestamp() where id = ${id} and answered_at is null`)

// --- Invoices ---

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

export const findToday = (tx: Queryable): Promise<{ today: string; year: number }> =>
  tx.one(sql`select clock_timestamp()::date::text as today, extract(year from clock_timestamp()::date)::int as year`)

/** The number of the next invoice of a year; the batches are locked. */
export const nextSequence = async (tx: Queryable, year: number): Promise<number> =>
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
  reminders: number
}
const invoiceColumns = sql`
  i.number, u.id as "webUserId", i.name, i.street, i.zip, i.city, i.issued_on::text as "issuedOn", i.due_on::text as "dueOn", i.cents,
  p.cents as "paidCents", case when i.cancels is not null then 'cancelling'
    when exists (select from invoices c where c.cancels = i.number) then 'cancelled'
    when p.cents >= i.cents then 'paid' when i.due_on < clock_timestamp()::date then 'overdue' else 'open' end as state,
  coalesce(i.cancels, '') as cancels, i.line_id as "lineId", i.account_id as "accountId", i.reminders
  from invoices i join ledger_accounts a on a.id = i.account_id left join web_users u on u.id = a.web_user_id,
    lateral (select coalesce(sum(cents), 0)::int as cents from payments where invoice_number = i.number) p`

export const listInvoices = (
  db: Queryable,
  { limit, after, isUnpaid }: { limit: number; after: string; isUnpaid: boolean },
): Promise<InvoiceRow[]> =>
  db.query(sql`
    select ${invoiceColumns} where i.number > ${after} and (not ${isUnpaid}::boolean or i.cancels is null and p.cents < i.cents
      and not exists (select from invoices c where c.cancels = i.number))
    order by i.number limit ${limit + 1}`)
export const findInvoice = (db: Queryable, number: string): Promise<InvoiceRow | null> =>
  db.maybeOne(sql`select ${invoiceColumns} where i.number = ${number}`)
export const findInvoicePdf = (
  db: Queryable,
  number: string,
): Promise<{ webUserId: number | null; pdf: Buffer } | null> =>
  db.maybeOne(sql`
    select u.id as "webUserId", i.pdf from invoices i join ledger_accounts a on a.id = i.account_id
      left join web_users u on u.id = a.web_user_id where i.number = ${number}`)
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
export const insertBankLine = async (
  tx: Queryable,
  line: { hash: Buffer; bookedOn: string; cents: number },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into bank_lines (hash, booked_on, cents) values (${line.hash}, ${line.bookedOn}, ${line.cents}) returning id`)
  ).id
/** Those of the hashes that have paid an invoice, hexadecimal. */
export const listBankHashes = async (tx: Queryable, hashes: readonly Buffer[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.query<{ hash: string }>(sql`
        select encode(hash, 'hex') as hash from bank_lines where hash = any(${[...hashes]}::bytea[])`)
    ).map(({ hash }) => hash),
  )
export const countPayments = async (tx: Queryable, number: string, paidOn: string, cents: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
    select count(*)::int as count from payments where invoice_number = ${number} and paid_on = ${paidOn} and cents = ${cents}`)
  ).count
export const updateReminded = (tx: Queryable, numbers: readonly string[]): Promise<number> =>
  tx.execute(sql`
    update invoices set reminded_at = clock_timestamp(), reminders = reminders + 1 where number = any(${[...numbers]}::text[])`)

export type Totals = Record<'charged' | 'waived' | 'refunded' | 'payroll' | 'invoiced' | 'paid' | 'open', number>

/**
 * Totals of a season, or of all, in cents: `charged` = `waived` + `refunded` + `paid` + `open`. Paid are accepted lines of payroll
 * and payments of invoices, of which a season has the share of its entries.
 */
export const findTotals = (db: Queryable, seasonId: number | null): Promise<Totals> =>
  db.one(sql`
    with entry as not materialized (
      select e.id, e.kind, e.cents from ledger_entries e left join courses c on c.id = e.course_id
      where ${seasonId}::int is null or c.season_id = ${seasonId}::int
    ), line as (
      select l.id, b.kind, l.state, l.cents as whole, sum(e.cents) as cents
      from entry e join batch_entries o on o.entry_id = e.id and not o.is_released join batch_lines l on l.id = o.line_id
        join batches b on b.id = l.batch_id
      group by l.id, b.kind
    ), billed as (
      select coalesce(sum(cents) filter (where kind = 'payroll'), 0)::int as payroll,
        coalesce(sum(cents) filter (where kind = 'invoice'), 0)::int as invoiced,
        coalesce(sum(case when kind <> 'invoice' then case state when 'accepted' then cents else 0 end
          when whole = 0 then cents else round(cents * (
            select coalesce(sum(p.cents), 0) from invoices i join payments p on p.invoice_number = i.number
            where i.line_id = line.id) / whole) end), 0)::int as paid
      from line
    ), charged as (
      select coalesce(sum(cents) filter (where kind in ('fee', 'processing-fee', 'energy-fee', 'late-cancellation', 'correction')), 0)::int as charged,
        -coalesce(sum(cents) filter (where kind = 'waiver'), 0)::int as waived,
        -coalesce(sum(cents) filter (where kind in ('lessons-cancelled', 'goodwill', 'write-off', 'floor')), 0)::int as refunded,
        coalesce(sum(cents), 0)::int as total
      from entry
    )
    select charged, waived, refunded, payroll, invoiced, paid, total - paid as open from charged, billed`)

/** By entry of a person: the batch that has it, and whether it is paid. */
export const listEntryStates = (
  db: Queryable,
  webUserId: number,
): Promise<{ entryId: number; kind: BatchKind; isPaid: boolean }[]> =>
  db.query(sql`
    select e.entry_id as "entryId", b.kind, case when b.kind <> 'invoice' then l.state = 'accepted' else coalesce((
      select (select coalesce(sum(cents), 0) from payments where invoice_number = i.number) >= i.cents
      from invoices i where i.line_id = l.id and i.cancels is null), true) end as "isPaid"
    from batch_entries e join batch_lines l on l.id = e.line_id join batches b on b.id = l.batch_id
      join ledger_accounts a on a.id = l.account_id
    where a.web_user_id = ${webUserId} and not e.is_released`)

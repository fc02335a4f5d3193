import type { BATCH_KINDS } from '#contract/acts/batches.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { PayableEntries } from './payable-repository.ts'

export type BatchKind = (typeof BATCH_KINDS)[number]

/**
 * Acquires a lock that is held until the transaction ends and serializes changes to billing batches, invoice numbers
 * and payments.
 */
export const lockBatches = (tx: Queryable): Promise<number> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('batches'))`)

export type BatchRow = {
  id: number
  kind: BatchKind
  divisionId: number | null
  /** 'YYYY-MM'; null: the month in which the batch is closed, or documents until today */
  period: string | null
  state: 'draft' | 'closed' | 'answered'
  count: number
  cents: number
  sha256: string
  createdAt: string
  closedAt: string | null
}

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`
const batchColumns = sql`
  b.id, b.kind, b.division_id as "divisionId", b.period,
  case when b.closed_at is null then 'draft' when b.answered_at is null then 'closed' else 'answered' end as state,
  (select count(distinct account_id)::int from batch_lines where batch_id = b.id and cents <> 0)
    + (select count(*)::int from postings where batch_id = b.id) as count,
  (select coalesce(sum(cents), 0)::int from batch_lines where batch_id = b.id)
    + (select coalesce(sum(cents), 0)::int from postings where batch_id = b.id) as cents,
  coalesce(encode(b.sha256, 'hex'), '') as sha256, ${at(sql`b.created_at`)} as "createdAt", ${at(sql`b.closed_at`)} as "closedAt"`

export const insertBatch = async (
  tx: Queryable,
  {
    kind,
    divisionId,
    period,
    createdBy,
  }: { kind: BatchKind; divisionId: number | null; period: string | null; createdBy: number | null },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into batches (kind, division_id, period, created_by) values (${kind}, ${divisionId}, ${period}, ${createdBy}) returning id`)
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

/**
 * Inserts lines into a batch.
 * @returns their ids in the same order
 */
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
  // Updates the table statistics, because the cached query plans of the billing pages were created for smaller tables
  // and would exceed the statement timeout.
  await tx.execute(sql`analyze batch_lines, batch_entries`)
  return ids
}

export const updateBatchClosed = (
  tx: Queryable,
  id: number,
  sha256: Buffer,
  closedBy: number | null,
): Promise<number> =>
  tx.execute(sql`
    update batches set closed_at = clock_timestamp(), closed_by = ${closedBy}, sha256 = ${sha256} where id = ${id}`)

export const insertBatchFile = (tx: Queryable, batchId: number, format: string, content: Buffer): Promise<number> =>
  tx.execute(sql`insert into batch_files (batch_id, format, content) values (${batchId}, ${format}, ${content})`)

/**
 * Number of bytes to read from the database per query, because memory could not hold several copies of the file of a
 * large season.
 */
const CHUNK_BYTES = 1 << 20

/**
 * Streams a batch's file from the database.
 * @returns null if there is none
 */
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

/** Sets the state of batch lines to accepted or returned. Ledger entries of returned lines can be billed again. */
export async function updateBatchLines(
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

export const updateBatchAnswered = (tx: Queryable, id: number): Promise<number> =>
  tx.execute(sql`update batches set answered_at = clock_timestamp() where id = ${id} and answered_at is null`)

/**
 * For each of a person's ledger entries in a billing batch, the kind of the batch and whether the entry has been paid.
 * Entries of returned lines are omitted.
 */
export const listLedgerEntryStates = (
  db: Queryable,
  webUserId: number,
): Promise<{ entryId: number; kind: Exclude<BatchKind, 'accounting'>; isPaid: boolean }[]> =>
  db.query(sql`
    select e.entry_id as "entryId", b.kind, case when b.kind <> 'invoice' then l.state = 'accepted' else coalesce((
      select (select coalesce(sum(cents), 0) from payments where invoice_number = i.number) >= i.cents
      from invoices i where i.line_id = l.id and i.cancels is null), true) end as "isPaid"
    from batch_entries e join batch_lines l on l.id = e.line_id join batches b on b.id = l.batch_id
      join ledger_accounts a on a.id = l.account_id
    where a.web_user_id = ${webUserId} and not e.is_released`)

/** Energy fees in the entries of batch lines, in cents by line. */
export const sumEnergyFees = async (tx: Queryable, lineIds: readonly number[]): Promise<Map<number, number>> =>
  new Map(
    (
      await tx.query<{ lineId: number; cents: number }>(sql`
        select b.line_id as "lineId", sum(e.cents)::int as cents
        from batch_entries b join ledger_entries e on e.id = b.entry_id
        where b.line_id = any(${[...lineIds]}::int[]) and e.kind = 'energy-fee' group by 1`)
    ).map(({ lineId, cents }) => [lineId, cents]),
  )

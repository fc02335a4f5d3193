import { type Queryable, sql } from '#server/platform/db/client.ts'

/**
 * Stores the IBAN for a refund, replacing an earlier one.
 * @returns whether it differs from the stored one
 */
export const upsertIban = async (tx: Queryable, webUserId: number, iban: string): Promise<boolean> =>
  (await tx.execute(sql`
    insert into payout_accounts (web_user_id, iban) values (${webUserId}, ${iban})
    on conflict (web_user_id) do update
      set iban = excluded.iban, entered_at = excluded.entered_at, changed_at = excluded.entered_at
      where payout_accounts.iban <> excluded.iban`)) > 0

export const findIban = async (db: Queryable, webUserId: number): Promise<string> =>
  (await db.maybeOne<{ iban: string }>(sql`select iban from payout_accounts where web_user_id = ${webUserId}`))?.iban ??
  ''

/**
 * Returns and deletes the IBANs that are about to be written to a payment order.
 * @returns IBANs keyed by person id
 */
export const readAndDeleteIbans = async (tx: Queryable, webUserIds: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await tx.query<{ id: number; iban: string }>(sql`
        delete from payout_accounts where web_user_id = any(${[...webUserIds]}::int[]) returning web_user_id as id, iban`)
    ).map(({ id, iban }) => [id, iban]),
  )

/** Unpaid invoices of the account's payer, oldest first. */
export const listUnpaidInvoicesOfPayer = (
  tx: Queryable,
  accountId: number,
): Promise<{ number: string; rest: number }[]> =>
  tx.query(sql`
    with payer as (
      select o.id from ledger_accounts a join ledger_accounts o on o.id = a.id or o.web_user_id = a.web_user_id where a.id = ${accountId}
    ), unpaid as (
      select i.number, i.cents - (select coalesce(sum(p.cents), 0)::int from payments p where p.invoice_number = i.number) as rest
      from invoices i where i.account_id in (select id from payer) and i.cancels is null
        and not exists (select from invoices c where c.cancels = i.number)
    )
    select number, rest from unpaid where rest > 0 order by number`)

/** Deletes a payment order that has been carried out, because its IBANs are no longer needed. */
export const deletePaymentOrder = (tx: Queryable, batchId: number): Promise<number> =>
  tx.execute(sql`delete from batch_files where batch_id = ${batchId} and format = 'xml'`)

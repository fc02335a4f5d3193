import { type Queryable, sql } from '#server/db/client.ts'

/** SQL condition for queries that take mails, pushes and webhook events for sending. */
export const isNotHeld = sql`not exists (select from outgoing_hold)`

/** Mails, pushes and webhook calls wait until `releaseOutgoing`: a restored copy must not send anything automatically. See docs/decisions/0138. */
export const holdOutgoing = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    insert into outgoing_hold values (true, clock_timestamp()) on conflict (is_held) do update set since = excluded.since`)

/** @returns start of the suspension; null: not suspended */
export const findHold = async (db: Queryable): Promise<Date | null> =>
  (await db.maybeOne<{ since: Date }>(sql`select since from outgoing_hold`))?.since ?? null

/** @returns whether sending was suspended */
export const releaseOutgoing = async (db: Queryable): Promise<boolean> =>
  (await db.execute(sql`delete from outgoing_hold`)) > 0

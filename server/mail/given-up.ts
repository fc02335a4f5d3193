import { type Queryable, sql } from '#server/db/client.ts'

export type MailCounts = { waiting: number; urgent: number; oldestAt: Date | null; givenUp: number }

export const countMails = (db: Queryable): Promise<MailCounts> =>
  db.one(sql`
    select count(*) filter (where due_at < 'infinity') as waiting,
      count(*) filter (where due_at < 'infinity' and is_urgent) as urgent,
      min(created_at) filter (where due_at < 'infinity') as "oldestAt", count(*) filter (where due_at = 'infinity') as "givenUp"
    from mails where sent_at is null`)

export type GivenUpMail = { id: number; kind: string; recipient: string; createdAt: Date; reason: string }

/** Mails that are no longer retried, oldest first. */
export const listGivenUp = (db: Queryable): Promise<GivenUpMail[]> =>
  db.query(sql`
    select id, kind, recipient, created_at as "createdAt", last_error as reason
    from mails where sent_at is null and due_at = 'infinity' order by id`)

/** Requeues given-up mails with a full retry period. @param ids null: all of them @returns number of mails */
export const sendAgain = (db: Queryable, ids: number[] | null): Promise<number> =>
  db.execute(sql`
    update mails set due_at = clock_timestamp(), attempts = 0, again_at = clock_timestamp()
    where sent_at is null and due_at = 'infinity' and (${ids}::bigint[] is null or id = any(${ids}::bigint[]))`)

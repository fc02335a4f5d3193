import type { Language } from '#contract/values.ts'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import { type MailKind, type MailKinds, SECRET_FIELDS } from './kinds.ts'

export type NewMail<Kind extends MailKind> = {
  webUserId: number
  kind: Kind
  payload: MailKinds[Kind]
  /** another address than the person's own */
  recipient?: string
}

/**
 * Puts a mail to a person into the outbox, in their language, in the transaction of what it tells about. The sender finds it
 * there; `context.wakeMailer()` after the commit only saves the wait.
 */
export async function insertMail<Kind extends MailKind>(
  tx: Queryable,
  { webUserId, kind, payload, recipient }: NewMail<Kind>,
): Promise<void> {
  await tx.execute(sql`
    insert into mails (web_user_id, recipient, language, kind, payload)
    select id, coalesce(${recipient ?? null}, email), language, ${kind}, ${payload}::jsonb
    from web_users where id = ${webUserId}`)
}

/** A mail that is due. */
export type DueMail = {
  id: number
  recipient: string
  language: Language
  kind: MailKind
  payload: MailKinds[MailKind]
  createdAt: Date
  /** the person's name; '' when the account is gone */
  name: string
}

/**
 * Takes the mail that has waited longest. Nobody else takes it for `leaseMs`: time to send it, and the longest wait should
 * this process die meanwhile. One put off for longer than any wait lasts was put off by a clock that was wrong.
 * @returns null when none is due
 */
export const takeDueMail = (db: Database, leaseMs: number): Promise<DueMail | null> =>
  db.maybeOne(sql`
    with taken as (
      update mails set attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
      where id = (
        select id from mails where sent_at is null and (
          next_attempt_at <= clock_timestamp()
          or next_attempt_at > clock_timestamp() + interval '2 hours' and next_attempt_at < 'infinity')
        order by next_attempt_at, id limit 1 for update skip locked)
      returning *
    )
    select taken.id, recipient, taken.language, kind, payload, taken.created_at as "createdAt",
      coalesce(trim(given_name || ' ' || family_name), '') as name
    from taken left join web_users u on u.id = taken.web_user_id`)

/** A mail is out: the passwords and links it carried leave the database. */
export const updateSent = (db: Database, id: number): Promise<number> =>
  db.execute(sql`
    update mails set sent_at = clock_timestamp(), last_error = '', payload = payload - ${SECRET_FIELDS}::text[]
    where id = ${id}`)

/** The mail server could not be reached: no fault of this mail, which is due again at once. */
export const updateReleased = (db: Database, id: number, reason: string): Promise<number> =>
  db.execute(sql`
    update mails set next_attempt_at = clock_timestamp(), last_error = ${reason} where id = ${id}`)

/**
 * The mail was refused. It is tried again after 1, 2, 4 … minutes, at most an hour, for five days, give or take a quarter so
 * that many refused at once do not come back at once.
 */
export const updateRefused = (
  db: Database,
  id: number,
  { reason, isFinal }: { reason: string; isFinal: boolean },
): Promise<number> =>
  db.execute(sql`
    update mails set last_error = ${reason}, next_attempt_at = case
      when ${isFinal} or created_at < clock_timestamp() - interval '5 days' then 'infinity'
      else clock_timestamp() + least(60, 2 ^ least(attempts - 1, 6)) * (0.75 + random() / 2) * interval '1 minute' end
    where id = ${id}`)

import type { Language } from '#contract/values.ts'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import type { MailKind, MailKinds } from './kinds.ts'

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
 * @returns whether the person is there
 */
export async function insertMail<Kind extends MailKind>(
  tx: Queryable,
  { webUserId, kind, payload, recipient }: NewMail<Kind>,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into mails (web_user_id, recipient, language, kind, payload)
    select id, coalesce(${recipient ?? null}, email), language, ${kind}, ${payload}::jsonb
    from web_users where id = ${webUserId} for key share`)
  return inserted > 0
}

/**
 * Takes back mails that are not out yet: what their links would open has changed, and a link is made only when its mail is
 * sent. To be called before the links that are out are made void: a mail just being sent is waited for.
 */
export const withdrawMails = (
  tx: Queryable,
  webUserId: number,
  kinds: MailKind[],
  butRecipient: string | null = null,
): Promise<number> =>
  tx.execute(sql`
    delete from mails
    where web_user_id = ${webUserId} and sent_at is null and kind = any(${kinds}) and recipient is distinct from ${butRecipient}`)

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
 * Takes the mail that has waited longest, urgent ones first. Nobody else takes it for `leaseMs`: time to send it, and the longest wait should
 * this process die meanwhile. One put off for longer than any wait lasts was put off by a clock that was wrong.
 * @returns null when none is due
 */
export const takeDueMail = (db: Database, leaseMs: number): Promise<DueMail | null> =>
  db.maybeOne(sql`
    with taken as (
      update mails set attempts = attempts + 1, due_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
      where id = (
        select id from mails where sent_at is null and (
          due_at <= clock_timestamp()
          or due_at > clock_timestamp() + interval '2 hours' and due_at < 'infinity')
        order by is_urgent desc, due_at, id limit 1 for update skip locked)
      returning *
    )
    select taken.id, recipient, taken.language, kind, payload, taken.created_at as "createdAt",
      coalesce(trim(given_name || ' ' || family_name), '') as name
    from taken left join web_users u on u.id = taken.web_user_id`)

/** Nobody is to get this mail any more. */
export const deleteMail = (db: Database, id: number): Promise<number> =>
  db.execute(sql`delete from mails where id = ${id} and sent_at is null`)

/** A mail is out. */
export const updateSent = (db: Database, id: number): Promise<number> =>
  db.execute(sql`
    update mails set sent_at = clock_timestamp(), last_error = '' where id = ${id}`)

/** The mail server could not be reached: no fault of this mail, which is due again at once. */
export const updateReleased = (db: Database, id: number, reason: string): Promise<number> =>
  db.execute(sql`
    update mails set due_at = clock_timestamp(), last_error = ${reason} where id = ${id}`)

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
    update mails set last_error = ${reason}, due_at = case
      when ${isFinal} or created_at < clock_timestamp() - interval '5 days' then 'infinity'
      else clock_timestamp() + least(60, 2 ^ least(attempts - 1, 6)) * (0.75 + random() / 2) * interval '1 minute' end
    where id = ${id}`)

import type { Language } from '#contract/values.ts'
import { type Database, type Queryable, sql } from '#server/db/client.ts'
import type { Lease } from '#server/db/lease.ts'
import type { MailKind, MailKinds } from './kinds.ts'
import { isNotHeld } from './outgoing-hold.ts'

export type NewMail<Kind extends MailKind> = {
  webUserId: number
  kind: Kind
  payload: MailKinds[Kind]
  /** overrides the person's address */
  recipient?: string
}

/**
 * Queues a mail in the person's language; calling `context.wakeMailer()` afterwards only reduces the delay.
 * @returns whether the person exists
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
 * Deletes unsent mails whose links have become invalid; links are created only when a mail is sent. Call before
 * revoking links already sent: waits for mails that are being sent.
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

export type DueMail = {
  id: number
  /** null for a deleted account */
  webUserId: number | null
  recipient: string
  language: Language
  kind: MailKind
  payload: MailKinds[MailKind]
  createdAt: Date
  /** including this one, from 1 */
  attempts: number
  /** the person's name; '' for a deleted account */
  name: string
}

/**
 * Leases the longest-waiting mails, urgent ones first, for `leaseMs`.
 * Due times too far in the future, set by a wrong clock, are ignored.
 */
export const takeDueMails = (
  db: Database,
  { limit, leaseMs, isUrgentOnly = false }: Lease & { isUrgentOnly?: boolean },
): Promise<DueMail[]> =>
  db.query(sql`
    with due as (
      select id from mails where sent_at is null and ${isNotHeld} and (is_urgent or not ${isUrgentOnly}) and (
        due_at <= clock_timestamp()
        or due_at > clock_timestamp() + interval '2 hours' and due_at < 'infinity')
      order by is_urgent desc, due_at, id limit ${limit} for update skip locked
    ), taken as (
      update mails m set attempts = attempts + 1, due_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
      from due where m.id = due.id
      returning m.*
    )
    select t.id, t.web_user_id as "webUserId", recipient, t.language, kind, payload, t.created_at as "createdAt", attempts,
      coalesce(trim(given_name || ' ' || family_name), '') as name
    from taken t left join web_users u on u.id = t.web_user_id
    order by t.is_urgent desc, t.id`)

export const deleteMail = (db: Database, id: number): Promise<number> =>
  db.execute(sql`delete from mails where id = ${id} and sent_at is null`)

export const updateSent = (db: Database, ids: number[]): Promise<number> =>
  db.execute(sql`update mails set sent_at = clock_timestamp(), last_error = '' where id = any(${ids})`)

type Attempt = Pick<DueMail, 'id' | 'attempts'>

/** Releases mails that were not sent through no fault of their own: due immediately or after a delay. */
export const updateReleased = (
  db: Database,
  mails: Attempt[],
  { reason, waitS }: { reason: string; waitS: number },
): Promise<number> =>
  db.execute(sql`
    update mails m set due_at = clock_timestamp() + ${waitS} * interval '1 s', last_error = ${reason}
    from unnest(${mails.map(({ id }) => id)}::bigint[], ${mails.map(({ attempts }) => attempts)}::int[]) as a (id, attempts)
    where m.id = a.id and m.attempts = a.attempts and sent_at is null`)

/**
 * Schedules a retry after 1, 2, 4 … minutes, at most an hour, with ±25 % jitter, for five days.
 * @returns number of mails given up; otherwise null
 */
export const updateRefused = async (
  db: Database,
  { id, attempts }: Attempt,
  { reason, isFinal }: { reason: string; isFinal: boolean },
): Promise<number | null> => {
  const row = await db.maybeOne<{ givenUp: number | null }>(sql`
    update mails set last_error = ${reason}, due_at = case
      when ${isFinal} or coalesce(again_at, created_at) < clock_timestamp() - interval '5 days' then 'infinity'
      else clock_timestamp() + least(60, 2 ^ least(attempts - 1, 6)) * (0.75 + random() / 2) * interval '1 minute' end
    where id = ${id} and attempts = ${attempts} and sent_at is null
    returning case when due_at = 'infinity' then 1 + (
      select count(*) from mails m where m.sent_at is null and m.due_at = 'infinity' and m.id <> ${id}) end as "givenUp"`)
  return row?.givenUp ?? null
}

import type { Language, WebhookKind } from '#contract/values.ts'
import { type Database, type Queryable, sql } from '#server/platform/db/client.ts'
import type { SqlFragment } from '#server/platform/db/sql.ts'
import type { AlertKind, AlertValues, MailKind, MailKinds } from './mail-kinds.ts'

export type NewMail<Kind extends MailKind> = {
  webUserId: number
  kind: Kind
  payload: MailKinds[Kind]
  /** overrides the person's e-mail address */
  recipient?: string
}

/**
 * Queues an e-mail in the person's language. Calling `context.wakeMailer()` afterwards is optional and reduces the
 * delay.
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
 * Deletes unsent e-mails whose links are no longer wanted (links are created when an e-mail is sent). Must be called
 * before the links that were already sent are revoked, because it waits for e-mails that are being sent.
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

type Due = {
  id: number
  /** number of delivery attempts including this one, starting at 1 */
  attempts: number
  createdAt: Date
  /** receiving system, for which the number of concurrent deliveries is limited */
  destination: string
}

export type DueMail = Due & {
  kind: MailKind
  /** null if the account has been deleted */
  webUserId: number | null
  recipient: string
  language: Language
  payload: MailKinds[MailKind]
  /** the person's name; '' if the account has been deleted */
  name: string
}

export type DuePush = Due & {
  kind: AlertKind
  alertId: number
  subscriptionId: number
  endpoint: string
  p256dh: string
  auth: string
  payload: AlertValues[AlertKind]
  language: Language
  /** time to live of the message in seconds */
  ttlS: number
}

export type DueWebhook = Due & {
  kind: WebhookKind
  webhookId: number
  url: string
  secret: string
  eventId: string
  payload: Record<string, unknown>
}

/** Messages by `outbox.channel`. */
export type MessageByChannel = { mail: DueMail; push: DuePush; webhook: DueWebhook }
export type Channel = keyof MessageByChannel

type Source = {
  /** table that is joined for `destination` and `isReady` */
  target: SqlFragment
  destination: SqlFragment
  isReady: SqlFragment
  columns: SqlFragment
  details: SqlFragment
  retry: { firstS: number; longestS: number; days: number }
}
const SOURCES: Record<Channel, Source> = {
  mail: {
    target: sql.empty,
    destination: sql`''`,
    isReady: sql`true`,
    columns: sql`o.web_user_id as "webUserId", recipient, o.language, payload,
      coalesce(trim(given_name || ' ' || family_name), '') as name`,
    details: sql`left join web_users u on u.id = o.web_user_id`,
    retry: { firstS: 60, longestS: 3_600, days: 5 },
  },
  push: {
    target: sql`join push_subscriptions s on s.id = o.subscription_id`,
    destination: sql`split_part(s.endpoint, '/', 3)`,
    isReady: sql`true`,
    columns: sql`o.alert_id as "alertId", o.subscription_id as "subscriptionId", s.endpoint, s.p256dh, s.auth, a.payload,
      u.language, ceil(extract(epoch from a.ends_at - clock_timestamp()))::int as "ttlS"`,
    details: sql`join alerts a on a.id = o.alert_id join web_users u on u.id = a.web_user_id`,
    // Retries stop after eight attempts, and an e-mail is sent instead.
    retry: { firstS: 60, longestS: 3_600, days: 1 / 12 },
  },
  webhook: {
    target: sql`join webhooks w on w.id = o.webhook_id and w.is_active`,
    destination: sql`w.id::text`,
    // Calls about the same object are sent in order.
    isReady: sql`not exists (
      select from outbox e
      where e.webhook_id = o.webhook_id and e.about = o.about and e.id < o.id and e.sent_at is null and e.due_at < 'infinity')`,
    columns: sql`o.webhook_id as "webhookId", w.url, w.secret, o.event_id as "eventId", o.payload`,
    details: sql.empty,
    retry: { firstS: 10, longestS: 600, days: 5 },
  },
}

export type Lease = {
  limit: number
  /** time in ms for which no other process can lease the messages */
  leaseMs: number
  isUrgentOnly?: boolean
  /** destinations that have reached their maximum number of concurrent deliveries */
  busy?: string[]
}

/**
 * Leases the messages of a channel that have waited longest, urgent ones first. The previous attempt's error is
 * cleared, which marks a message as leased. A due time too far in the future results from a wrong clock and is ignored.
 */
export function leaseDueMessages<C extends Channel>(
  db: Database,
  channel: C,
  { limit, leaseMs, isUrgentOnly = false, busy = [] }: Lease,
): Promise<MessageByChannel[C][]> {
  const { target, destination, isReady, columns, details } = SOURCES[channel]
  return db.query(sql`
    with due as (
      select o.id from outbox o ${target}
      where o.channel = ${channel} and o.sent_at is null and not exists (select from outgoing_hold)
        and (o.is_urgent or not ${isUrgentOnly}) and (
          o.due_at <= clock_timestamp()
          or o.due_at > clock_timestamp() + interval '2 hours' and o.due_at < 'infinity')
        and ${destination} <> all(${busy}::text[]) and ${isReady}
      order by o.is_urgent desc, o.due_at, o.id limit ${limit} for update of o skip locked
    ), taken as (
      update outbox o set attempts = attempts + 1, last_error = '', last_status = null,
        due_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
      from due where o.id = due.id
      returning o.*
    )
    select o.id, o.attempts, o.created_at as "createdAt", o.kind, ${destination} as destination, ${columns}
    from taken o ${target} ${details}
    order by o.is_urgent desc, o.id`)
}

export const deleteMessage = (db: Database, id: number): Promise<number> =>
  db.execute(sql`delete from outbox where id = ${id} and sent_at is null`)

/** Message that has been sent. `status`: HTTP status of the response to a webhook. */
export type SentMessage = { id: number; status?: number; webhookId?: number }

/** Marks messages as sent. If a webhook has recovered, its failed calls become due immediately. */
export async function markSent(db: Database, messages: SentMessage[]): Promise<void> {
  await db.execute(sql`
    update outbox o set sent_at = clock_timestamp(), last_error = '', last_status = s.status
    from unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ status }) => status ?? null)}::int[]) as s (id, status)
    where o.id = s.id`)
  const webhookIds = messages.flatMap(({ webhookId }) => webhookId ?? [])
  if (webhookIds.length === 0) return
  await db.execute(sql`
    with recovered as (
      update webhooks set failing_since = null where id = any(${webhookIds}) and failing_since is not null returning id
    )
    update outbox o set due_at = clock_timestamp() from recovered r
    where o.webhook_id = r.id and o.sent_at is null and o.due_at < 'infinity' and (o.last_error <> '' or o.last_status is not null)`)
}

type Attempt = Pick<Due, 'id' | 'attempts'>

/**
 * Releases messages that were not sent for reasons unrelated to them. They become due again immediately or after a
 * delay.
 */
export const releaseMessages = (
  db: Database,
  messages: Attempt[],
  { reason, waitS }: { reason: string; waitS: number },
): Promise<number> =>
  db.execute(sql`
    update outbox o set due_at = clock_timestamp() + ${waitS} * interval '1 s', last_error = ${reason}
    from unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ attempts }) => attempts)}::int[]) as a (id, attempts)
    where o.id = a.id and o.attempts = a.attempts and sent_at is null`)

/** Extends the lease of a message that is being delivered. */
export const renewLease = (db: Database, { id, attempts }: Attempt, leaseMs: number): Promise<number> =>
  db.execute(sql`
    update outbox set due_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where id = ${id} and attempts = ${attempts} and sent_at is null and last_error = '' and due_at < 'infinity'`)

export type DeliveryRefusal = {
  reason: string
  status?: number | null
  isFinal: boolean
  isTargetGone?: boolean
  /** the receiver may have accepted the message, so each retry may be a duplicate */
  isUnanswered?: boolean
}

/** Transmissions of a message without a response after which it is abandoned: at most so many copies arrive. */
const UNANSWERED_LIMIT = 5

/**
 * Schedules a retry with exponential backoff and ±25 % jitter, or abandons the message. Abandoned push messages are
 * deleted.
 * @returns null if a retry is scheduled, otherwise the number of abandoned messages in the channel
 */
export const recordRefusal = <C extends Channel>(
  db: Database,
  channel: C,
  message: Attempt & Partial<Pick<DuePush, 'alertId' | 'subscriptionId'> & Pick<DueWebhook, 'webhookId'>>,
  { reason, status = null, isFinal, isTargetGone = false, isUnanswered = false }: DeliveryRefusal,
): Promise<number | null> =>
  db.transaction(async tx => {
    const { firstS, longestS, days } = SOURCES[channel].retry
    const { id, attempts, alertId, webhookId } = message
    // The alert is locked before the push message, in the same order as when a person is deleted, which avoids a
    // deadlock. The lock also serializes failures of an alert's push messages, so that the last one is recognized and
    // replaced by an e-mail.
    if (alertId) await tx.execute(sql`select from alerts where id = ${alertId} for update`)
    const row = await tx.maybeOne<{ givenUp: number | null }>(sql`
      update outbox set last_error = ${reason}, last_status = ${status}, unanswered = unanswered + ${Number(isUnanswered)},
        due_at = case when ${isFinal} or ${isUnanswered} and unanswered + 1 >= ${UNANSWERED_LIMIT} or coalesce(again_at, created_at) < clock_timestamp() - ${days} * interval '1 day' then 'infinity'
        else clock_timestamp()
          + least(${longestS}, ${firstS} * 2 ^ least(attempts - 1, 6)) * (0.75 + random() / 2) * interval '1 second' end
      where id = ${id} and attempts = ${attempts} and sent_at is null
      returning case when due_at = 'infinity' then 1 + (
        select count(*) from outbox o
        where o.channel = ${channel} and o.sent_at is null and o.due_at = 'infinity' and o.id <> ${id}) end as "givenUp"`)
    const givenUp = row?.givenUp ?? null
    if (row && webhookId)
      await tx.execute(sql`
        update webhooks set failing_since = clock_timestamp() where id = ${webhookId} and failing_since is null`)
    if (givenUp !== null && alertId) {
      await replacePush(tx, id, alertId)
      if (isTargetGone) await tx.execute(sql`delete from push_subscriptions where id = ${message.subscriptionId}`)
    }
    return givenUp
  })

/** Deletes a push message. If it was the alert's last one, queues an e-mail instead. */
async function replacePush(tx: Queryable, id: number, alertId: number): Promise<void> {
  await tx.execute(sql`delete from outbox where id = ${id}`)
  await tx.execute(sql`
    with alert as (
      update alerts a set is_mailed = true
      where id = ${alertId} and not is_mailed and ends_at > clock_timestamp() and kind <> 'promotion'
        and not exists (select from outbox p where p.alert_id = a.id)
      returning a.*
    )
    insert into mails (web_user_id, recipient, language, kind, payload)
    select u.id, u.email, u.language, case a.kind when 'changes' then 'notice' else a.kind end, a.payload
    from alert a join web_users u on u.id = a.web_user_id`)
}

export type MailCounts = { waiting: number; urgent: number; oldestAt: Date | null; givenUp: number }

export const countMails = (db: Queryable): Promise<MailCounts> =>
  db.one(sql`
    select count(*) filter (where due_at < 'infinity') as waiting,
      count(*) filter (where due_at < 'infinity' and is_urgent) as urgent,
      min(created_at) filter (where due_at < 'infinity') as "oldestAt", count(*) filter (where due_at = 'infinity') as "givenUp"
    from mails where sent_at is null`)

export type UndeliverableMail = { id: number; kind: string; recipient: string; createdAt: Date; reason: string }

/** E-mails that are no longer retried, oldest first. */
export const listUndeliverableMails = (db: Queryable): Promise<UndeliverableMail[]> =>
  db.query(sql`
    select id, kind, recipient, created_at as "createdAt", last_error as reason
    from mails where sent_at is null and due_at = 'infinity' order by id`)

/**
 * Queues abandoned e-mails again for a full retry period.
 * @param ids null: all of them
 * @returns number of e-mails
 */
export const requeueMails = (db: Queryable, ids: number[] | null): Promise<number> =>
  db.execute(sql`
    update mails set due_at = clock_timestamp(), attempts = 0, unanswered = 0, again_at = clock_timestamp()
    where sent_at is null and due_at = 'infinity' and (${ids}::bigint[] is null or id = any(${ids}::bigint[]))`)

/**
 * Suspends sending until `resumeOutgoingMessages` is called, because a restored copy must not send anything automatically. See
 * docs/decisions/0138.
 */
export const suspendOutgoingMessages = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    insert into outgoing_hold values (true, clock_timestamp()) on conflict (is_held) do update set since = excluded.since`)

/**
 * Finds the start of the suspension.
 * @returns null if sending is not suspended
 */
export const findOutgoingSuspensionStart = async (db: Queryable): Promise<Date | null> =>
  (await db.maybeOne<{ since: Date }>(sql`select since from outgoing_hold`))?.since ?? null

/**
 * Resumes sending.
 * @returns whether it was suspended
 */
export const resumeOutgoingMessages = async (db: Queryable): Promise<boolean> =>
  (await db.execute(sql`delete from outgoing_hold`)) > 0

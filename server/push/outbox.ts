import type { Language } from '#contract/values.ts'
import { type Database, sql } from '#server/db/client.ts'
import type { Lease } from '#server/db/lease.ts'
import { isNotHeld } from '#server/mail/outgoing-hold.ts'
import type { AlertKind, AlertValues } from './kinds.ts'

export type DuePush = {
  id: number
  alertId: number
  subscriptionId: number
  attempts: number
  endpoint: string
  p256dh: string
  auth: string
  kind: AlertKind
  payload: AlertValues[AlertKind]
  language: Language
  /** time to live in seconds */
  ttlS: number
}

/** Leases due pushes; expired ones are deleted. */
export const takeDuePushes = (db: Database, { limit, leaseMs }: Lease): Promise<DuePush[]> =>
  db.query(sql`
    with due as (
      select id from pushes where sent_at is null and ${isNotHeld} and due_at <= clock_timestamp()
      order by due_at, id limit ${limit} for update skip locked
    ), taken as (
      update pushes p set attempts = attempts + 1, due_at = clock_timestamp() + ${leaseMs} * interval '1 ms'
      from due where p.id = due.id returning p.*
    )
    select t.id, t.alert_id as "alertId", t.subscription_id as "subscriptionId", t.attempts, s.endpoint, s.p256dh, s.auth,
      a.kind, a.payload, u.language, ceil(extract(epoch from a.ends_at - clock_timestamp()))::int as "ttlS"
    from taken t join alerts a on a.id = t.alert_id join push_subscriptions s on s.id = t.subscription_id
      join web_users u on u.id = a.web_user_id
    order by t.id`)

export const updatePushSent = (db: Database, id: number): Promise<number> =>
  db.execute(sql`update pushes set sent_at = clock_timestamp() where id = ${id}`)

/** Schedules a retry after 1, 2, 4 … minutes. */
export const updatePushPostponed = (
  db: Database,
  { id, attempts }: Pick<DuePush, 'id' | 'attempts'>,
): Promise<number> =>
  db.execute(sql`
    update pushes set due_at = clock_timestamp() + least(60, 2 ^ least(${attempts} - 1, 6)) * interval '1 minute'
    where id = ${id} and attempts = ${attempts}`)

/** Deletes a failed push, and the subscription if `isDead`; if the alert's last push fails, a mail is sent instead. */
export const deletePush = (
  db: Database,
  { id, alertId, subscriptionId }: Pick<DuePush, 'id' | 'alertId' | 'subscriptionId'>,
  { isDead }: { isDead: boolean },
): Promise<number> =>
  db.transaction(async tx => {
    // Serializes concurrent failures of one alert, so that the second one detects that it is the last.
    await tx.execute(sql`select from alerts where id = ${alertId} for update`)
    await tx.execute(sql`delete from pushes where id = ${id}`)
    const inserted = await tx.execute(sql`
      with alert as (
        update alerts a set is_mailed = true
        where id = ${alertId} and not is_mailed and ends_at > clock_timestamp() and kind <> 'promotion'
          and not exists (select from pushes p where p.alert_id = a.id)
        returning a.*
      )
      insert into mails (web_user_id, recipient, language, kind, payload)
      select u.id, u.email, u.language, case a.kind when 'changes' then 'notice' else a.kind end, a.payload from alert a join web_users u on u.id = a.web_user_id`)
    if (isDead) await tx.execute(sql`delete from push_subscriptions where id = ${subscriptionId}`)
    return inserted
  })

import type { WebhookKind } from '#contract/webhook-kinds.ts'
import { type Database, sql } from '#server/db/client.ts'
import type { Lease } from '#server/db/lease.ts'
import { isNotHeld } from '#server/mail/outgoing-hold.ts'

/** Retry period: afterwards an event is given up, and the next one about the same object is sent. */
const PATIENCE_DAYS = 5
const KEPT_DAYS = 30

export type Delivery = {
  id: number
  webhookId: number
  url: string
  secret: string
  eventId: string
  kind: WebhookKind
  payload: Record<string, unknown>
  createdAt: Date
  attempts: number
}

/** Leases due deliveries; only the oldest pending one per object, to preserve order. */
export const takeDueDeliveries = (db: Database, { limit, leaseMs }: Lease): Promise<Delivery[]> =>
  db.query(sql`
    with due as (
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.is_active
      where ${isNotHeld} and d.sent_at is null and d.given_up_at is null and d.due_at <= clock_timestamp()
        and coalesce(d.taken_until < clock_timestamp(), true) and not exists (
        select from webhook_deliveries e
        where e.webhook_id = d.webhook_id and e.about = d.about and e.id < d.id and e.sent_at is null and e.given_up_at is null)
      order by d.due_at, d.id limit ${limit} for update of d skip locked
    ), taken as (
      update webhook_deliveries d set attempts = attempts + 1, taken_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
      from due where d.id = due.id returning d.*
    )
    select t.id, t.webhook_id as "webhookId", w.url, w.secret, t.event_id as "eventId", t.kind, t.payload,
      t.created_at as "createdAt", t.attempts
    from taken t join webhooks w on w.id = t.webhook_id order by t.id`)

/** Marks as delivered; further deliveries waiting for the recovered receiver become due immediately. */
export const updateDelivered = (db: Database, { id, webhookId }: Delivery, status: number): Promise<void> =>
  db.transaction(async tx => {
    await tx.execute(sql`
      update webhook_deliveries set sent_at = clock_timestamp(), taken_until = null, last_status = ${status}, last_error = '' where id = ${id}`)
    const isBack = await tx.execute(sql`
      update webhooks set failing_since = null where id = ${webhookId} and failing_since is not null`)
    if (isBack === 0) return
    await tx.execute(sql`
      update webhook_deliveries set due_at = clock_timestamp()
      where webhook_id = ${webhookId} and sent_at is null and given_up_at is null and last_error || coalesce(last_status::text, '') <> ''`)
  })

/** Schedules a retry after 10, 20, 40 … seconds, at most ten minutes. */
export const updateRefused = (
  db: Database,
  { id, webhookId, attempts }: Delivery,
  { status, error }: { status: number | null; error: string },
): Promise<void> =>
  db.transaction(async tx => {
    await tx.execute(sql`
      update webhook_deliveries set last_status = ${status}, last_error = ${error}, taken_until = null,
        due_at = clock_timestamp() + least(600, 10 * 2 ^ least(${attempts} - 1, 6)) * interval '1 second',
        given_up_at = case when created_at < clock_timestamp() - ${PATIENCE_DAYS} * interval '1 day' then clock_timestamp() end
      where id = ${id} and attempts = ${attempts}`)
    await tx.execute(sql`
      update webhooks set failing_since = clock_timestamp() where id = ${webhookId} and failing_since is null`)
  })

export const deleteOldDeliveries = (db: Database): Promise<number> =>
  db.execute(sql`delete from webhook_deliveries where created_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'`)

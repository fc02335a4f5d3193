import type { Scope, WebhookKind } from '#contract/values.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { KeysetPage } from '#server/platform/http/pagination.ts'

const at = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`

type TokenRow = {
  tokenId: number
  name: string
  scopes: Scope[]
  createdAt: string
  expiresOn: string
  lastUsedAt: string | null
  isWorking: boolean
}
export const listServiceTokens = (db: Queryable, { limit, after }: KeysetPage<number>): Promise<TokenRow[]> =>
  db.query(sql`
    select id as "tokenId", name, scopes, ${at(sql`created_at`)} as "createdAt", to_char(expires_at - interval '1 day', 'YYYY-MM-DD') as "expiresOn",
      ${at(sql`last_used_at`)} as "lastUsedAt", revoked_at is null and expires_at > clock_timestamp() as "isWorking"
    from service_tokens where id > ${after} order by id limit ${limit + 1}`)

/**
 * Finds a service by its token; null if the token is unknown, expired or revoked. Updates the time of last use at most
 * once an hour.
 */
export async function findService(
  db: Queryable,
  tokenHash: Buffer,
): Promise<{ id: number; name: string; scopes: Scope[] } | null> {
  const service = await db.maybeOne<{ id: number; name: string; scopes: Scope[]; isStale: boolean }>(sql`
    select id, name, scopes, coalesce(last_used_at < clock_timestamp() - interval '1 hour', true) as "isStale" from service_tokens
    where token_hash = ${tokenHash} and revoked_at is null and expires_at > clock_timestamp()`)
  if (service?.isStale)
    await db.execute(sql`update service_tokens set last_used_at = clock_timestamp() where id = ${service.id}`)
  return service
}

/**
 * Checks the expiry date of a token.
 * @param expiresOn last day on which it is valid, 'YYYY-MM-DD'
 */
export const checkTokenExpiry = (db: Queryable, expiresOn: string): Promise<{ isOver: boolean; isTooLong: boolean }> =>
  db.one(sql`
    select ${expiresOn}::date < current_date as "isOver", ${expiresOn}::date > current_date + interval '1 year' as "isTooLong"`)

/**
 * Inserts a service token.
 * @returns its id; null if the token already exists
 */
export const insertServiceToken = async (
  tx: Queryable,
  { name, tokenHash, scopes, expiresOn }: { name: string; tokenHash: Buffer; scopes: Scope[]; expiresOn: string },
): Promise<number | null> =>
  (
    await tx.maybeOne<{ id: number }>(sql`
      insert into service_tokens (name, token_hash, scopes, expires_at)
      values (${name}, ${tokenHash}, ${scopes}::text[], (${expiresOn}::date + 1)::timestamptz)
      on conflict (token_hash) do nothing returning id`)
  )?.id ?? null

/**
 * Revokes a token. Idempotent.
 * @returns false for an unknown token
 */
export const updateTokenRevoked = async (tx: Queryable, tokenId: number): Promise<boolean> =>
  (await tx.execute(sql`
    update service_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${tokenId}`)) > 0

type Webhook = { name: string; url: string; secret: string | null; kinds: WebhookKind[]; active: boolean }

/**
 * Creates or updates a webhook.
 * @param id null creates one; a null secret keeps the stored one
 * @returns its id; null for an unknown id
 */
export const saveWebhook = async (
  tx: Queryable,
  id: number | null,
  { name, url, secret, kinds, active }: Webhook,
): Promise<number | null> =>
  (
    await tx.maybeOne<{ id: number }>(
      id === null
        ? sql`
          insert into webhooks (name, url, secret, kinds, is_active)
          values (${name}, ${url}, ${secret}, ${kinds}::text[], ${active}) returning id`
        : sql`
          update webhooks set name = ${name}, url = ${url}, secret = coalesce(${secret}, secret), kinds = ${kinds}::text[],
            is_active = ${active} where id = ${id} returning id`,
    )
  )?.id ?? null

/** @returns false for an unknown webhook */
export const deleteWebhook = async (tx: Queryable, id: number): Promise<boolean> =>
  (await tx.execute(sql`delete from webhooks where id = ${id}`)) > 0

type WebhookRow = {
  webhookId: number
  name: string
  url: string
  kinds: WebhookKind[]
  active: boolean
  waiting: number
  failingSince: string | null
}
export const listWebhooks = (db: Queryable, { limit, after }: KeysetPage<number>): Promise<WebhookRow[]> =>
  db.query(sql`
    select w.id as "webhookId", name, url, kinds, is_active as active, ${at(sql`failing_since`)} as "failingSince", (
      select count(*) from outbox o where o.webhook_id = w.id and o.sent_at is null and o.due_at < 'infinity') as waiting
    from webhooks w where w.id > ${after} order by w.id limit ${limit + 1}`)

export const webhookExists = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.maybeOne(sql`select id from webhooks where id = ${id}`)) !== null

type DeliveryRow = {
  id: number
  eventId: string
  kind: WebhookKind
  createdAt: string
  attempts: number
  sentAt: string | null
  status: number | null
  error: string
}
export const listWebhookDeliveries = (
  db: Queryable,
  webhookId: number,
  { limit, after }: KeysetPage<number>,
): Promise<DeliveryRow[]> =>
  db.query(sql`
    select id, event_id as "eventId", kind, ${at(sql`created_at`)} as "createdAt", attempts, ${at(sql`sent_at`)} as "sentAt",
      last_status as status, last_error as error
    from outbox where webhook_id = ${webhookId} and (${after} = 0 or id < ${after})
    order by id desc limit ${limit + 1}`)

import { type Queryable, sql } from '#server/db/client.ts'
import type { ActHandler } from '#server/features/office/desk-service.ts'
import { hashToken } from '#server/http/token.ts'

const insertOne = (tx: Queryable, statement: ReturnType<typeof sql>) => tx.maybeOne<{ id: number }>(statement)

/** A program may read from now on; what it shows was made by who created it, and only its hash is kept. */
export const createToken: ActHandler<'create-token'> = async (desk, { name, token, scopes, expiresOn }) => {
  const { isOver, isTooLong } = await desk.tx.one<{ isOver: boolean; isTooLong: boolean }>(sql`
    select ${expiresOn}::date < current_date as "isOver", ${expiresOn}::date > current_date + interval '1 year' as "isTooLong"`)
  if (isOver) desk.fail('failed.tokenOver')
  if (isTooLong) desk.fail('failed.tokenTooLong')
  const made = await insertOne(
    desk.tx,
    sql`
    insert into service_tokens (name, token_hash, scopes, expires_at)
    values (${name}, ${hashToken(token)}, ${[...new Set(scopes)]}::text[], (${expiresOn}::date + 1)::timestamptz)
    on conflict (token_hash) do nothing returning id`,
  )
  if (made === null) return desk.fail('failed.tokenTwice')
  desk.note({ objects: { tokenId: made.id }, after: { scopes, expiresOn } })
  desk.noteText(name)
  return { tokenId: made.id }
}

export const revokeToken: ActHandler<'revoke-token'> = async (desk, { tokenId }) => {
  const revoked = await desk.tx.execute(sql`
    update service_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = ${tokenId}`)
  if (revoked === 0) desk.fail('unknown.tokens')
  desk.note({ objects: { tokenId } })
}

/** Whom to tell of bookings and courses. Without a new secret the old one goes on. */
export const saveWebhook: ActHandler<'save-webhook'> = async (
  desk,
  { webhookId, name, url, secret, kinds, active },
) => {
  if (webhookId === undefined && secret === undefined) return desk.fail('failed.secretMissing')
  const wanted = [...new Set(kinds)]
  const saved = await insertOne(
    desk.tx,
    webhookId === undefined
      ? sql`
        insert into webhooks (name, url, secret, kinds, is_active)
        values (${name}, ${url}, ${secret}, ${wanted}::text[], ${active}) returning id`
      : sql`
        update webhooks set name = ${name}, url = ${url}, secret = coalesce(${secret ?? null}, secret), kinds = ${wanted}::text[],
          is_active = ${active} where id = ${webhookId} returning id`,
  )
  if (saved === null) return desk.fail('unknown.webhooks')
  desk.note({ objects: { webhookId: saved.id }, after: { kinds: wanted, active, hasNewSecret: secret !== undefined } })
  desk.noteText(`${name} ${url}`)
  return { webhookId: saved.id }
}

export const removeWebhook: ActHandler<'remove-webhook'> = async (desk, { webhookId }) => {
  const removed = await desk.tx.execute(sql`delete from webhooks where id = ${webhookId}`)
  if (removed === 0) desk.fail('unknown.webhooks')
  desk.note({ objects: { webhookId } })
}

import { type Queryable, sql } from '#server/db/client.ts'

/** Maximum subscriptions per person; the oldest is removed. */
const MOST = 10

export type NewSubscription = { endpoint: string; p256dh: string; auth: string }

/** A browser belongs to the person who subscribed last. */
export const saveSubscription = (
  db: Queryable,
  webUserId: number,
  { endpoint, p256dh, auth }: NewSubscription,
): Promise<number> =>
  db.execute(sql`
    with saved as (
      insert into push_subscriptions (web_user_id, endpoint, p256dh, auth)
      values (${webUserId}, ${endpoint}, ${p256dh}, ${auth})
      on conflict (endpoint) do update
      set web_user_id = excluded.web_user_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = clock_timestamp()
    )
    delete from push_subscriptions where id in (
      select id from push_subscriptions where web_user_id = ${webUserId} and endpoint <> ${endpoint}
      order by created_at desc, id desc offset ${MOST - 1})`)

export const deleteSubscription = (db: Queryable, webUserId: number, endpoint: string): Promise<number> =>
  db.execute(sql`delete from push_subscriptions where web_user_id = ${webUserId} and endpoint = ${endpoint}`)

import webPush from 'web-push'
import { type Queryable, sql } from '#server/db/client.ts'

export type PushKeys = { publicKey: string; privateKey: string }

const NAME = 'push-keys'

/** VAPID key pair of the portal, created by the first server that needs it. */
export async function findPushKeys(db: Queryable): Promise<PushKeys> {
  const find = () => db.maybeOne<{ value: Buffer }>(sql`select value from secrets where name = ${NAME}`)
  const known = await find()
  if (known) return JSON.parse(known.value.toString())
  const made = Buffer.from(JSON.stringify(webPush.generateVAPIDKeys()))
  await db.execute(sql`insert into secrets values (${NAME}, ${made}) on conflict do nothing`)
  return JSON.parse((await find())?.value.toString() ?? '')
}

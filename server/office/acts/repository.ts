import type { ActResponse } from '#contract/office/office.ts'
import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Account or service token that performs an action; the other one is null. */
export type ActSource = { actorId: number | null; tokenId: number | null }
export type PerformedAct = ActSource & { fingerprint: Buffer; answer: ActResponse | null }

/**
 * Claims an action's id until the transaction ends. Concurrent requests with the same id wait.
 * @returns the stored result of an earlier request, or null
 */
export async function claimActId(
  tx: Queryable,
  actId: string,
  { actorId, tokenId }: ActSource,
  fingerprint: Buffer,
): Promise<PerformedAct | null> {
  const claimed = await tx.execute(sql`
    insert into office_acts (act_id, actor_id, token_id, fingerprint)
    values (${actId}, ${actorId}, ${tokenId}, ${fingerprint}) on conflict do nothing`)
  return claimed > 0 ? null : findPerformedAct(tx, actId)
}

export const findPerformedAct = (db: Queryable, actId: string): Promise<PerformedAct | null> =>
  db.maybeOne(sql`
    select actor_id as "actorId", token_id as "tokenId", fingerprint, answer from office_acts where act_id = ${actId}`)

export const updateStoredActResponse = (tx: Queryable, actId: string, answer: ActResponse): Promise<number> =>
  tx.execute(sql`update office_acts set answer = ${answer}::json where act_id = ${actId}`)

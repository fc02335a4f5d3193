import type { ActAnswer } from '#contract/office.ts'
import { type Queryable, sql } from '#server/db/client.ts'

/** What has a version that acts raise. */
export type VersionedTable =
  | ('courses' | 'seasons' | 'web_users' | 'content_items' | 'albums' | 'photos')
  | ('categories' | 'divisions' | 'rooms' | 'instructors' | 'pages')

/** A number, the e-mail address of an instructor, or the name of a page. */
export type VersionedKey = number | string
const KEYS: Partial<Record<VersionedTable, string>> = { instructors: 'email', pages: 'name' }
const keyOf = (table: VersionedTable) => sql.raw(KEYS[table] ?? 'id')

export type DoneAct = { actorId: number; fingerprint: Buffer; answer: ActAnswer | null }

/** Claims the id of an act until the transaction ends; others wait. @returns what was done under it before, or null */
export async function claimAct(
  tx: Queryable,
  actId: string,
  actorId: number,
  fingerprint: Buffer,
): Promise<DoneAct | null> {
  const claimed = await tx.execute(sql`
    insert into office_acts (act_id, actor_id, fingerprint) values (${actId}, ${actorId}, ${fingerprint}) on conflict do nothing`)
  return claimed > 0 ? null : findAct(tx, actId)
}

export const findAct = (db: Queryable, actId: string): Promise<DoneAct | null> =>
  db.maybeOne(sql`
    select actor_id as "actorId", fingerprint, answer from office_acts where act_id = ${actId}`)

export const updateActAnswer = (tx: Queryable, actId: string, answer: ActAnswer): Promise<number> =>
  tx.execute(sql`update office_acts set answer = ${answer}::jsonb where act_id = ${actId}`)

/** Locks something with a version until the transaction ends. @returns its version; null when there is no such thing */
export const lockVersion = async (tx: Queryable, table: VersionedTable, id: VersionedKey): Promise<number | null> =>
  (
    await tx.maybeOne<{ version: number }>(sql`
      select version from ${sql.raw(table)} where ${keyOf(table)} = ${id} for no key update`)
  )?.version ?? null

/** One more than the act found, whatever raised it on the way. @returns null when the act has removed it */
export const raiseVersion = async (
  tx: Queryable,
  table: VersionedTable,
  id: VersionedKey,
  found: number,
): Promise<number | null> =>
  (
    await tx.maybeOne<{ version: number }>(sql`
      update ${sql.raw(table)} set version = ${found} + 1 where ${keyOf(table)} = ${id} returning version`)
  )?.version ?? null

/** The programme is another one: every server reads it anew. */
export const raiseProgrammeRevision = (tx: Queryable): Promise<number> =>
  tx.execute(sql`update programme set revision = revision + 1`)

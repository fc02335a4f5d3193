import { type Queryable, sql } from '#server/db/client.ts'

/** What has a version that acts raise. */
export type VersionedTable =
  | ('courses' | 'seasons' | 'web_users' | 'content_items' | 'albums' | 'photos')
  | ('categories' | 'divisions' | 'rooms' | 'instructors' | 'pages')

/** A number, the e-mail address of an instructor, or the name of a page. */
export type VersionedKey = number | string
const KEYS: Partial<Record<VersionedTable, string>> = { instructors: 'email', pages: 'name' }
const keyOf = (table: VersionedTable) => sql.raw(KEYS[table] ?? 'id')

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

import { type Queryable, sql } from '#server/db/client.ts'

/** Kinds of rows with a version for optimistic locking. */
export type VersionedTable =
  | ('courses' | 'seasons' | 'web_users' | 'content_items' | 'albums' | 'photos')
  | ('categories' | 'divisions' | 'rooms' | 'instructors' | 'pages')

/** Key: a number, the e-mail address of an instructor, or the name of a page. */
export type VersionedKey = number | string
const KEYS: Partial<Record<VersionedTable, string>> = { instructors: 'email', pages: 'name' }
const keyOf = (table: VersionedTable) => sql.raw(KEYS[table] ?? 'id')

/**
 * Locks a versioned row until the transaction ends.
 * @returns its version; null if it does not exist
 */
export const lockVersion = async (tx: Queryable, table: VersionedTable, id: VersionedKey): Promise<number | null> =>
  (
    await tx.maybeOne<{ version: number }>(sql`
      select version from ${sql.raw(table)} where ${keyOf(table)} = ${id} for no key update`)
  )?.version ?? null

/**
 * Sets the version to one more than the act found, even if other statements incremented it.
 * @returns null if the act deleted the row
 */
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

/** Invalidates the programme cache of all servers. */
export const raiseProgrammeRevision = (tx: Queryable): Promise<number> =>
  tx.execute(sql`update programme set revision = revision + 1`)

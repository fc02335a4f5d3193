import { type Queryable, sql } from '#server/platform/db/client.ts'

/** Tables whose rows have a version for optimistic locking. */
export type VersionedTable =
  | ('courses' | 'seasons' | 'web_users' | 'content_items' | 'albums' | 'photos')
  | ('categories' | 'divisions' | 'rooms' | 'course_templates' | 'instructors' | 'pages')

/** Key of a versioned row: a number, an instructor's e-mail address, or a page name. */
export type VersionedKey = number | string
const KEYS: Partial<Record<VersionedTable, string>> = { instructors: 'email', pages: 'name' }
const keyOf = (table: VersionedTable) => sql.raw(KEYS[table] ?? 'id')

const idsOf = (table: VersionedTable, ids: readonly VersionedKey[]) =>
  KEYS[table] === undefined ? sql`${ids.map(Number)}::int[]` : sql`${ids.map(String)}::text[]`

/**
 * Locks versioned rows in the order of their keys until the transaction ends.
 * @returns the version of each existing row
 */
export const lockVersions = async (
  tx: Queryable,
  table: VersionedTable,
  ids: readonly VersionedKey[],
): Promise<Map<VersionedKey, number>> => {
  const rows = await tx.query<{ id: VersionedKey; version: number }>(sql`
    select ${keyOf(table)} as id, version from ${sql.raw(table)} where ${keyOf(table)} = any(${idsOf(table, ids)})
    order by 1 for no key update`)
  return new Map(rows.map(({ id, version }) => [id, Number(version)]))
}

/**
 * Sets the version of each row to one more than the version that the action read, even if other statements of the
 * action have incremented it, too.
 * @returns the new versions, without rows that the action deleted
 */
export const incrementVersions = async (
  tx: Queryable,
  table: VersionedTable,
  found: ReadonlyMap<VersionedKey, number>,
): Promise<Map<VersionedKey, number>> => {
  const rows = await tx.query<{ id: VersionedKey; version: number }>(sql`
    update ${sql.raw(table)} t set version = f.version + 1
    from unnest(${idsOf(table, [...found.keys()])}, ${[...found.values()]}::int[]) f (id, version)
    where t.${keyOf(table)} = f.id returning f.id, t.version`)
  return new Map(rows.map(({ id, version }) => [id, Number(version)]))
}

/** Invalidates the programme cache of all servers. */
export const incrementProgrammeRevision = (tx: Queryable): Promise<number> =>
  tx.execute(sql`update programme set revision = revision + 1`)

import { type Queryable, sql } from '#server/platform/db/client.ts'
import type { ParsedRow, ParsedTable } from '../parse-folder.ts'
import type { ColumnsByName } from '../tables.ts'

export type RowCounts = { created: number; updated: number; unchanged: number; removed: number }

export const createRowCounts = (): RowCounts => ({ created: 0, updated: 0, unchanged: 0, removed: 0 })

export type DbRow = Record<string, unknown>

type Upsert = {
  table: string
  /** columns of the unique key */
  key: string[]
  /** columns to update in existing rows; all others remain unchanged */
  updates: string[]
  /** additional SQL assignments for updated rows */
  onUpdate?: string
}

const CHUNK_ROWS = 500

/**
 * Inserts new rows and updates rows that differ. Unchanged rows are not locked.
 * @returns the first key column of inserted and updated rows
 */
export async function upsertRows(
  tx: Queryable,
  { table, key, updates, onUpdate = '' }: Upsert,
  rows: DbRow[],
  onChunk: (done: number) => void = () => undefined,
): Promise<{ created: string[]; updated: string[] }> {
  const result: { created: string[]; updated: string[] } = { created: [], updated: [] }
  const [first] = rows
  if (!first) return result
  const columns = Object.keys(first).join(', ')
  const isSame = key.map(name => `t.${name} = g.${name}`).join(' and ')
  const assignments = [...updates.map(name => `${name} = g.${name}`), ...(onUpdate ? [onUpdate] : [])].join(', ')
  const tuple = (alias: string) => `(${updates.map(name => `${alias}.${name}`).join(', ')})`
  const update = sql.raw(
    updates.length === 0
      ? `select null as key where false`
      : `update ${table} t set ${assignments} from given g where ${isSame} and ${tuple('t')} is distinct from ${tuple('g')}
         returning t.${key[0]}::text as key`,
  )
  const insert = sql.raw(
    `insert into ${table} as t (${columns}) select ${columns} from given g where not exists (select from ${table} t where ${isSame})
     on conflict do nothing returning t.${key[0]}::text as key`,
  )
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const json = JSON.stringify(rows.slice(start, start + CHUNK_ROWS))
    const given = sql`select ${sql.raw(columns)} from jsonb_populate_recordset(null::${sql.raw(table)}, ${json}::jsonb)`
    const changes = await tx.one<{ created: string[]; updated: string[] }>(sql`
      with given as materialized (${given}), updated as (${update}), created as (${insert})
      select array(select key from created) as created, array(select key from updated) as updated`)
    result.created.push(...changes.created)
    result.updated.push(...changes.updated)
    onChunk(Math.min(start + CHUNK_ROWS, rows.length))
  }
  return result
}

/** Converts a row of a file to a database row. Columns that the file lacks get their default value. */
export function toDbRow<C extends ColumnsByName>(
  { definition: { columns } }: ParsedTable<C>,
  { values, hashes }: ParsedRow<C>,
): DbRow {
  const stored = Object.entries(columns).filter(([, { to }]) => to !== '')
  return Object.fromEntries(
    stored.flatMap(([name, { to, empty, file }]) => [
      [to, values[name] ?? empty ?? null],
      ...Object.keys(file?.pointers ?? {}).map(pointer => [pointer, hashes[pointer] ? `\\x${hashes[pointer]}` : null]),
    ]),
  )
}

/** Database columns whose values the file contains. Only these are updated in existing rows. */
export const updatedColumns = <C extends ColumnsByName>({
  definition: { columns },
  columnNames,
}: ParsedTable<C>): string[] =>
  Object.entries(columns)
    .filter(([name, { to }]) => to !== '' && columnNames.has(name))
    .flatMap(([, { to, file }]) => [to, ...Object.keys(file?.pointers ?? {})])

/** Increments the version for optimistic locking, so that staff who have read the old row get a conflict. */
export const VERSION_INCREMENT_SQL = 'version = t.version + 1'

/** Upserts the rows of a file whose columns map directly to its table. */
export async function upsertTable<C extends ColumnsByName>(
  tx: Queryable,
  source: ParsedTable<C>,
  target: Pick<Upsert, 'table' | 'key' | 'onUpdate'>,
  rows: DbRow[] = source.rows.map(row => toDbRow(source, row)),
  updates: string[] = updatedColumns(source),
): Promise<RowCounts> {
  const { created, updated } = await upsertRows(
    tx,
    {
      ...target,
      updates: updates.filter(name => !target.key.includes(name)),
      onUpdate: target.onUpdate ?? VERSION_INCREMENT_SQL,
    },
    rows,
  )
  return {
    created: created.length,
    updated: updated.length,
    unchanged: rows.length - created.length - updated.length,
    removed: 0,
  }
}

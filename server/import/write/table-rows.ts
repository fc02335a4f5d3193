import type { Queryable } from '#server/db/client.ts'
import type { Row, Table } from '../parse-folder.ts'
import type { Columns } from '../tables.ts'
import { type Counts, type DbRow, type Upsert, upsertRows } from './upsert.ts'

/** Converts a file row to a database row; columns missing from the file get their default. */
export function toDbRow<C extends Columns>({ definition: { columns } }: Table<C>, { values, hashes }: Row<C>): DbRow {
  const stored = Object.entries(columns).filter(([, { to }]) => to !== '')
  return Object.fromEntries(
    stored.flatMap(([name, { to, empty, file }]) => [
      [to, values[name] ?? empty ?? null],
      ...Object.keys(file?.pointers ?? {}).map(pointer => [pointer, hashes[pointer] ? `\\x${hashes[pointer]}` : null]),
    ]),
  )
}

/** Database columns present in the file: only these are updated in existing rows. */
export const updatedColumns = <C extends Columns>({ definition: { columns }, columnNames }: Table<C>): string[] =>
  Object.entries(columns)
    .filter(([name, { to }]) => to !== '' && columnNames.has(name))
    .flatMap(([, { to, file }]) => [to, ...Object.keys(file?.pointers ?? {})])

/** Optimistic lock: desk users who read the old row get a conflict. */
export const RAISE_VERSION = 'version = t.version + 1'

/** Upserts the rows of a file whose columns map directly to its table. */
export async function writeTable<C extends Columns>(
  tx: Queryable,
  source: Table<C>,
  target: Pick<Upsert, 'table' | 'key' | 'onUpdate'>,
  rows: DbRow[] = source.rows.map(row => toDbRow(source, row)),
  updates: string[] = updatedColumns(source),
): Promise<Counts> {
  const { created, updated } = await upsertRows(
    tx,
    {
      ...target,
      updates: updates.filter(name => !target.key.includes(name)),
      onUpdate: target.onUpdate ?? RAISE_VERSION,
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

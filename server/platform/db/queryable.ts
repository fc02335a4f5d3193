import type pg from 'pg'
import type { SqlFragment } from './sql.ts'

/**
 * Executes statements, either directly on the database or within a transaction. Rows are objects keyed by column name.
 */
export type Queryable = {
  query<Row extends object>(fragment: SqlFragment): Promise<Row[]>
  /**
   * Executes a query and returns its only row.
   * @throws Error if there is none or more than one.
   */
  one<Row extends object>(fragment: SqlFragment): Promise<Row>
  /**
   * Executes a query and returns its only row, or null.
   * @throws Error if there is more than one.
   */
  maybeOne<Row extends object>(fragment: SqlFragment): Promise<Row | null>
  /** Executes a statement and returns the number of rows inserted, updated or deleted. */
  execute(fragment: SqlFragment): Promise<number>
}

export type StatementSender = (client: pg.ClientBase, text: string, values?: unknown[]) => Promise<pg.QueryResult>

const isPlain = (item: unknown) => item === null || typeof item === 'boolean' || Number.isFinite(item)

/** Formats arrays of numbers and booleans as PostgreSQL literals, because `pg` would check and quote each element. */
const toParameter = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isPlain) ? `{${JSON.stringify(value).slice(1, -1)}}` : value

/**
 * Creates a Queryable.
 * @param withClient runs a function with a connection
 * @param ask sends a statement on that connection
 */
export function createQueryable(
  withClient: <T>(run: (client: pg.ClientBase) => Promise<T>) => Promise<T>,
  ask: StatementSender,
): Queryable {
  const send = ({ text, values }: SqlFragment) => withClient(client => ask(client, text, values.map(toParameter)))
  const query = async <Row extends object>(fragment: SqlFragment): Promise<Row[]> => (await send(fragment)).rows
  const maybeOne = async <Row extends object>(fragment: SqlFragment) => {
    const rows = await query<Row>(fragment)
    if (rows.length > 1) throw new Error(`${rows.length} rows instead of one: ${fragment.text.trim()}`)
    return rows[0] ?? null
  }
  const one = async <Row extends object>(fragment: SqlFragment) => {
    const row = await maybeOne<Row>(fragment)
    if (row === null) throw new Error(`no row: ${fragment.text.trim()}`)
    return row
  }
  return { query, one, maybeOne, execute: async fragment => (await send(fragment)).rowCount ?? 0 }
}

/** Creates a Queryable on an existing connection, within its open transaction. */
export const createQueryableOnClient = (client: pg.ClientBase): Queryable =>
  createQueryable(
    run => run(client),
    (own, text, values) => own.query(text, values),
  )

import pg from 'pg'
import { columnTypes } from './column-types.ts'
import type { SqlFragment } from './sql.ts'

export { sql } from './sql.ts'

/** Whatever statements can be sent to: the database itself, or a transaction in it. Rows have the column names as keys. */
export type Queryable = {
  query<Row extends object>(fragment: SqlFragment): Promise<Row[]>
  /** The only row. @throws Error if there is none or more than one. */
  one<Row extends object>(fragment: SqlFragment): Promise<Row>
  /** The only row, or null. @throws Error if there are more. */
  maybeOne<Row extends object>(fragment: SqlFragment): Promise<Row | null>
  /** The number of rows inserted, updated or deleted. */
  execute(fragment: SqlFragment): Promise<number>
}

export type Database = Queryable & {
  /**
   * Runs `work` in one read-committed transaction: committed when it resolves, undone when it rejects. On a deadlock or a
   * serialisation failure it runs a second time, so it must have no effect outside the transaction.
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /** Waits for what is in flight and closes every connection. */
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.ClientConfig
  /** IANA name: the zone in which the database shows and reads local times. */
  timeZone: string
  /** Connections at most. */
  poolSize?: number
  statementTimeoutMs?: number
}

/** A lazily connecting pool. Errors are those of `pg`: `code` holds the SQLSTATE, or the system's code such as ECONNREFUSED. */
export function openDatabase({
  connection,
  timeZone,
  poolSize = 10,
  statementTimeoutMs = 15_000,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    ...connection,
    max: poolSize,
    types: columnTypes,
    onConnect: async client => {
      await client.query(
        `select set_config(name, value, false) from (values ('TimeZone', $1), ('statement_timeout', $2), ('DateStyle', 'ISO, YMD'),
          ('default_transaction_isolation', 'read committed'), ('idle_in_transaction_session_timeout', '60s')) as setting (name, value)`,
        [timeZone, `${statementTimeoutMs}ms`],
      )
    },
  })
  // A lost connection reaches its user through the failed query; these events come beside it and would end the process.
  const ignoreLostConnection = () => undefined
  pool.on('error', ignoreLostConnection)
  pool.on('connect', client => client.on('error', ignoreLostConnection))

  const withClient = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    let fault: unknown
    try {
      return await work(client)
    } catch (error) {
      fault = error
      throw error
    } finally {
      client.release(isFatal(fault) || client.getTransactionStatus() !== 'I')
    }
  }

  const transact = <Result>(work: (tx: Queryable) => Promise<Result>) =>
    withClient(async client => {
      await client.query('begin')
      try {
        const result = await work(queryable(run => run(client)))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch(ignoreLostConnection)
        throw error
      }
    })

  return {
    ...queryable(withClient),
    transaction: work => transact(work).catch(error => (isConflict(error) ? transact(work) : Promise.reject(error))),
    close: () => pool.end(),
  }
}

function queryable(withClient: <T>(run: (client: pg.ClientBase) => Promise<T>) => Promise<T>): Queryable {
  const send = ({ text, values }: SqlFragment) =>
    withClient(client => client.query<Record<string, unknown>>(text, [...values]))
  const query = async <Row extends object>(fragment: SqlFragment) => (await send(fragment)).rows as Row[]
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

/** Error classes of a lost connection, of a lack of space or connections, and of a server that is starting or stopping. */
const UNAVAILABLE_CODES = /^(?:08|53|57P)|^(?:ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/
const UNAVAILABLE_WORDS = /timeout exceeded when trying to connect|Connection terminated|is not queryable/

/** Whether an error says nothing about the statement, only that the database cannot serve it now. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return UNAVAILABLE_CODES.test(code) || UNAVAILABLE_WORDS.test(error.message)
}

const sqlState = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined)
const isConflict = (error: unknown) => ['40001', '40P01'].includes(sqlState(error) ?? '')
const isFatal = (error: unknown) => error instanceof pg.DatabaseError && error.severity !== 'ERROR'

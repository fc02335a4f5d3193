import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isTraced, type SpanAttributes, trace } from '#server/platform/observability/trace.ts'
import { errorCodeOf } from '#server/platform/process/error-facts.ts'
import { type ConnectionMonitor, openConnectionMonitor } from './connection-monitor.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { countReceivedBytes, destroyConnection } from './probe.ts'
import { createQueryable, type Queryable, type StatementSender } from './queryable.ts'
import { requireReplication, UnreplicatedError } from './replication.ts'
import { createSemaphore } from './semaphore.ts'
import { sql } from './sql.ts'
import { ReadOnlyError, UnavailableError } from './unavailable.ts'

export { createQueryableOnClient, type Queryable } from './queryable.ts'
export { isUnavailable } from './unavailable.ts'
export { sql }

export type Database = Queryable & {
  /**
   * Runs `work` in one read-committed transaction, which commits when the promise resolves and rolls back when it
   * rejects. After a deadlock or serialization failure it is retried up to twice, so `work` must have no side effects
   * outside the transaction.
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /** Runs `work` on one connection in autocommit mode. Session settings and advisory locks are released afterwards. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Resolves within 3 s if the database can commit. The check runs at most once a second. @throws Error for which
   * isUnavailable is true
   */
  probe(): Promise<void>
  /** Waits for statements in progress and closes all connections. */
  close(): Promise<void>
}

export type DatabaseOptions = Omit<PoolOptions, 'poolSize' | 'statementTimeoutMs'> & {
  poolSize?: number
  /** 0: no timeout */
  statementTimeoutMs?: number
  /** monitor shared by all pools of a process and closed with the last of them; by default, each pool has its own */
  watch?: ConnectionMonitor
  /** whether all statements are rejected while the database cannot commit; see docs/decisions/0012 */
  isForWrites?: boolean
}

/**
 * Limits of the queue for a connection: the number of waiting callers and the waiting time in ms. Requests beyond
 * either limit fail with 503.
 */
const MAX_WAITING = 5_000
const PATIENCE_MS = 8_000
/** Time in ms that the client waits beyond the server's statement timeout before it abandons the statement. */
const GRACE_MS = 1_000
/**
 * Maximum number of prepared statements. The number of distinct statements has no bound, because some, such as those of
 * an import, are built dynamically. Further statements are planned on each execution.
 */
const MAX_NAMED = 500
/** Connections still open after this time are destroyed without a proper close. */
const CLOSE_PATIENCE_MS = 3_000
/** Maximum number of attempts for a transaction or statement that fails with deadlocks or serialization failures. */
const MOST_RUNS = 3
const CONFLICT_PAUSE_MS = 10

/**
 * Opens a pool, which connects on first use. Statements reject with an error of `pg`, whose `code` is the SQLSTATE or a
 * system error code such as ECONNREFUSED, or with an UnavailableError if the database does not respond, is read-only,
 * or has no free connection in time.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { poolSize = 10, statementTimeoutMs = 15_000, isForWrites = false } = options
  const watch = options.watch ?? openConnectionMonitor(options.connection)
  const gate = createSemaphore({ slots: poolSize, maxWaiting: MAX_WAITING, patienceMs: PATIENCE_MS })
  const pool = openPool({ ...options, poolSize, statementTimeoutMs })
  /** Counts outages: connections opened before an outage are not reused after it. */
  let age = 0
  watch.onOutage((reason, isSilent) => {
    age += 1
    gate.refuseWaiting(reason)
    pool.cut(isSilent ? 'all' : 'idle', reason)
  })
  if (isForWrites) watch.onWriteOutage(gate.refuseWaiting)

  /**
   * Closes each connection when it becomes idle, because its prepared plans refer to tables that a newer portal has
   * altered.
   */
  const forgetPlans = () => {
    age += 1
    pool.cut('idle', new UnavailableError('prepared plans are outdated after a schema change'))
  }

  const connect = async () => {
    const answersBefore = watch.countAnswers()
    try {
      return await pool.connect()
    } catch (error) {
      watch.report(error, answersBefore)
      throw error
    }
  }

  const useClient = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    isForOne = false,
  ): Promise<Result> => {
    watch.check(isForWrites)
    const client = await connect()
    const ageBefore = age
    let fault: unknown
    try {
      return await work(client)
    } catch (error) {
      fault = error
      if (errorCodeOf(error) === '25006') watch.report(new ReadOnlyError('the database takes no writes'), 0)
      if (isPlanStale(error)) forgetPlans()
      throw error
    } finally {
      client.release(isForOne || isFatal(fault) || age !== ageBefore || client.getTransactionStatus() !== 'I')
    }
  }
  const withClient = async <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    isForOne?: boolean,
  ): Promise<Result> => {
    watch.check(isForWrites)
    return gate.run(() => useClient(work, isForOne))
  }

  const limitMs = statementTimeoutMs && statementTimeoutMs + GRACE_MS
  const send = createSend(watch, pool, limitMs)
  const statements = createQueryable(run => retryOnConflict(() => withClient(run)), send)

  return {
    ...statements,
    transaction: work => retryOnConflict(() => withClient(client => transact(client, send, work))),
    session: work => withClient(client => work(createQueryable(run => run(client), send)), true),
    probe: watch.probe,
    async close() {
      const cutting = setTimeout(() => pool.cut('all', new UnavailableError('closed')), CLOSE_PATIENCE_MS)
      await pool.end()
      clearTimeout(cutting)
      if (!options.watch) await watch.close()
    },
  }
}

/** Creates the function that executes statements on a connection and reports them to the monitor. */
function createSend(
  watch: ConnectionMonitor,
  pool: Pick<ReturnType<typeof openPool>, 'pidOf'>,
  limitMs: number,
): StatementSender {
  const nameOf = createNames()
  return async (client, text, values) => {
    const asked = watch.begin({
      pid: pool.pidOf(client),
      limitMs,
      cut: reason => destroyConnection(client, reason),
      countBytes: () => countReceivedBytes(client),
    })
    let hasAnswered = true
    try {
      const query = values?.length ? { name: nameOf(text), text, values } : text
      const ask = () => requireReplication(client, () => client.query(query))
      return await (isTraced() ? traceStatement(text, values, ask) : ask())
    } catch (error) {
      if (error instanceof UnreplicatedError) watch.refuseWrites(error)
      else hasAnswered = error instanceof pg.DatabaseError
      throw error
    } finally {
      watch.end(asked, hasAnswered)
    }
  }
}

/** Runs `work` in one transaction on a connection. */
async function transact<Result>(
  client: pg.PoolClient,
  send: StatementSender,
  work: (tx: Queryable) => Promise<Result>,
) {
  await send(client, 'begin')
  try {
    const result = await work(createQueryable(run => run(client), send))
    await send(client, 'commit')
    return result
  } catch (error) {
    // If the connection is lost, the server has already rolled back.
    await send(client, 'rollback').catch(() => undefined)
    throw error
  }
}

/** Repeats a transaction, or a single statement, after a deadlock or serialization failure. */
async function retryOnConflict<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run += 1) {
    try {
      return await transact()
    } catch (error) {
      if (run === MOST_RUNS || !isConflict(error)) throw error
      // The random delay keeps the same transactions from deadlocking again.
      await sleep(run * CONFLICT_PAUSE_MS * (1 + Math.random()))
    }
  }
}

const LONGEST_TEXT = 2_000
/** Traces a statement. The traced text contains no values, because these are passed as parameters. */
const traceStatement = <Result>(text: string, values: unknown[] | undefined, ask: () => Promise<Result>) => {
  const [name = ''] = /[a-z]+/i.exec(text) ?? []
  const facts = { 'db.system.name': 'postgresql', 'db.operation.name': name.toUpperCase() }
  const query: SpanAttributes = values?.length ? { 'db.query.text': text.slice(0, LONGEST_TEXT) } : {}
  return trace('statement', name.toUpperCase(), { ...facts, ...query }, ask)
}

/**
 * Assigns names to statements, so that each connection prepares and plans them only once. Beyond the maximum,
 * statements remain unnamed.
 */
function createNames() {
  const names = new Map<string, string>()
  return (text: string): string | undefined => {
    const cached = names.get(text)
    if (cached !== undefined || names.size >= MAX_NAMED) return cached
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}

/** Whether a statement was not executed because a table has changed and its prepared plan is outdated. */
const isPlanStale = (error: unknown) => errorCodeOf(error) === '0A000'
const isConflict = (error: unknown) => ['40001', '40P01'].includes(errorCodeOf(error)) || isPlanStale(error)
/** Whether an error makes the connection unusable: it is broken, or the server is read-only. */
const isFatal = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.severity !== 'ERROR' || error.code === '25006')

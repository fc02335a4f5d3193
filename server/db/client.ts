import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Facts, isTraced, trace } from '#server/traces/trace.ts'
import { createGate } from './gate.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { bytesReadOn, destroyClient, openProbe, type Probe } from './probe.ts'
import { type Queryable, queryable, type Send } from './queryable.ts'
import { sql } from './sql.ts'
import { codeOf, ReadOnlyError, UnavailableError } from './unavailable.ts'
import { createWatch, type Watch } from './watch.ts'
import { createWriteCheck } from './write-check.ts'

export { type Queryable, queryableOn } from './queryable.ts'
export { isUnavailable } from './unavailable.ts'
export { sql }

export type Database = Queryable & {
  /**
   * Runs `work` in one read-committed transaction: committed when it resolves, undone when it rejects. On a deadlock or a
   * serialisation failure it runs again, at most twice, so it must have no effect outside the transaction.
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /** Runs `work` on one connection, each statement committed by itself. What it sets and locks there ends with it. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>
  /** Resolves within 3 s when the database commits, which is asked at most once a second. @throws Error, of which isUnavailable knows */
  probe(): Promise<void>
  /** Waits for what is in flight and closes every connection. */
  close(): Promise<void>
}

export type DatabaseOptions = Omit<PoolOptions, 'poolSize' | 'statementTimeoutMs'> & {
  poolSize?: number
  /** 0 for work that takes as long as it takes */
  statementTimeoutMs?: number
  /** shared by the pools of a process, and closed with the last of them; each has its own unless given */
  watch?: Watch
  probe?: Probe
}

/** Calls that wait for a connection: beyond either, 503. */
const MAX_WAITING = 5_000
const PATIENCE_MS = 8_000
/** A statement is given up this long after the server should have ended it. */
const GRACE_MS = 1_000
const HEALTH_LIMIT_MS = 900
/** Statements that are made of changing parts, as of an import, have no end: from here on they are planned each time. */
const MAX_NAMED = 500
/** What is still open after this long of closing hears no goodbye. */
const CLOSE_PATIENCE_MS = 3_000
/** Of a transaction that others stand in the way of. */
const MOST_RUNS = 3
const CONFLICT_PAUSE_MS = 10

export const probeOptions = (connection: pg.ClientConfig): pg.ClientConfig => ({ keepAlive: true, ...connection })

/**
 * A lazily connecting pool. Errors are those of `pg`: `code` holds the SQLSTATE, or the system's code such as ECONNREFUSED; or
 * an UnavailableError of our own when the database is silent, may only be read, or is not to be had in time.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { poolSize = 10, statementTimeoutMs = 15_000 } = options
  const probe = options.probe ?? openProbe(probeOptions(options.connection))
  const watch = options.watch ?? createWatch(probe)
  const gate = createGate({ slots: poolSize, maxWaiting: MAX_WAITING, patienceMs: PATIENCE_MS })
  const pool = openPool({ ...options, poolSize, statementTimeoutMs })
  /** Counts outages: what was connected before one is not used after it. */
  let age = 0
  watch.onOutage((reason, isSilent) => {
    age += 1
    gate.refuseWaiting(reason)
    pool.cut(isSilent ? 'all' : 'idle', reason)
  })

  /** Every connection has planned for tables that a newer portal has changed: each ends when it is free. */
  const forgetPlans = () => {
    age += 1
    pool.cut('idle', new UnavailableError('planned for other tables'))
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
    watch.check()
    const client = await connect()
    const ageBefore = age
    let fault: unknown
    try {
      return await work(client)
    } catch (error) {
      fault = error
      if (codeOf(error) === '25006') watch.report(new ReadOnlyError('the database takes no writes'), 0)
      if (isPlanStale(error)) forgetPlans()
      throw error
    } finally {
      client.release(isForOne || isFatal(fault) || age !== ageBefore || client.getTransactionStatus() !== 'I')
    }
  }
  const withClient = <Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    isForOne?: boolean,
  ): Promise<Result> => {
    watch.check()
    return gate.run(() => useClient(work, isForOne))
  }

  const limitMs = statementTimeoutMs && statementTimeoutMs + GRACE_MS
  const nameOf = createNames()
  const send: Send = async (client, text, values) => {
    const asked = watch.begin({
      pid: pool.pidOf(client),
      limitMs,
      cut: reason => destroyClient(client, reason),
      countBytes: () => bytesReadOn(client),
    })
    let hasAnswered = true
    try {
      const ask = () => client.query(values?.length ? { name: nameOf(text), text, values } : text)
      return await (isTraced() ? traceStatement(text, values, ask) : ask())
    } catch (error) {
      hasAnswered = error instanceof pg.DatabaseError
      throw error
    } finally {
      watch.end(asked, hasAnswered)
    }
  }

  const transact = <Result>(work: (tx: Queryable) => Promise<Result>) =>
    withClient(async client => {
      await send(client, 'begin')
      try {
        const result = await work(queryable(run => run(client), send))
        await send(client, 'commit')
        return result
      } catch (error) {
        // A lost connection has undone it.
        await send(client, 'rollback').catch(() => undefined)
        throw error
      }
    })

  /** Callers share a question that is on its way: it is younger than a second. */
  let probing: Promise<unknown> | null = null

  const statements = queryable(
    run => withClient(run).catch(error => (isPlanStale(error) ? withClient(run) : Promise.reject(error))),
    send,
  )
  const writeCheck = createWriteCheck(probeOptions(options.connection), pid =>
    statements.execute(sql`select pg_cancel_backend(${pid})`),
  )

  return {
    ...statements,
    async transaction(work) {
      for (let run = 1; ; run += 1) {
        try {
          return await transact(work)
        } catch (error) {
          if (run === MOST_RUNS || !isConflict(error)) throw error
          // The other one goes on first: at once, the same two may meet again.
          await sleep(run * CONFLICT_PAUSE_MS * (1 + Math.random()))
        }
      }
    },
    session: work => withClient(client => work(queryable(run => run(client), send)), true),
    async probe() {
      probing ??= probe.ask(HEALTH_LIMIT_MS).finally(() => {
        probing = null
      })
      const answersBefore = watch.countAnswers()
      await probing.catch(error => {
        watch.report(error, answersBefore)
        throw error
      })
      await writeCheck.run()
    },
    async close() {
      const cutting = setTimeout(() => pool.cut('all', new UnavailableError('closed')), CLOSE_PATIENCE_MS)
      await pool.end()
      clearTimeout(cutting)
      await writeCheck.close()
      if (!options.watch) watch.close()
      if (!options.probe) await probe.close()
    },
  }
}

const LONGEST_TEXT = 2_000
/** A statement's text has no values in it where it takes them beside it. */
const traceStatement = <Result>(text: string, values: unknown[] | undefined, ask: () => Promise<Result>) => {
  const [name = ''] = /[a-z]+/i.exec(text) ?? []
  const facts = { 'db.system.name': 'postgresql', 'db.operation.name': name.toUpperCase() }
  const query: Facts = values?.length ? { 'db.query.text': text.slice(0, LONGEST_TEXT) } : {}
  return trace('statement', name.toUpperCase(), { ...facts, ...query }, ask)
}

/** Names for statements, by which a connection plans each of them once; none for those beyond the bound. */
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

/** The statement has not run: its plan is for tables that have changed since. */
const isPlanStale = (error: unknown) => codeOf(error) === '0A000'
const isConflict = (error: unknown) => ['40001', '40P01'].includes(codeOf(error)) || isPlanStale(error)
/** After these the connection is of no use: broken, or to a server that may only be read. */
const isFatal = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.severity !== 'ERROR' || error.code === '25006')

import type pg from 'pg'
import { type Database, openDatabase, type Queryable } from './client.ts'
import { openConnectionMonitor } from './connection-monitor.ts'
import type { SqlFragment } from './sql.ts'

/** Connection pools of a portal by purpose, so that no pool can exhaust the connections of another. */
export type Pools = {
  /** pool for user requests, with short timeouts */
  calls: Database
  mails: Database
  /** pool for migrations, imports and retention, without timeouts */
  jobs: Database
  close(): Promise<void>
}

/**
 * Maximum number of connections per pool: 20 in total, including the monitor's, so that four portals fit into
 * PostgreSQL's default limit of 100.
 */
const SIZES = { reads: 7, writes: 8, mails: 2, jobs: 2 }
/** Maximum number of connections of one portal, including those that check its health. */
export const MAX_CONNECTIONS = 22
/** Minimum number of connections per pool when several processes share the maximum. */
const LEAST = 2
const CALL_LIMITS = {
  statementTimeoutMs: 15_000,
  // The limit applies to each lock. A statement that queues behind another waiter acquires two, so it may wait twice as
  // long.
  lockTimeoutMs: 2_000,
  idleTransactionMs: 8_000,
  connectTimeoutMs: 2_000,
  // See docs/decisions/0003.
  isPlannedForGrowth: true,
}
const WRITE_LIMITS = { ...CALL_LIMITS, isForWrites: true }
const JOB_LIMITS = { statementTimeoutMs: 0 }

/**
 * Matches statements that change or lock rows. False positives, for instance in a comment, are harmless because both
 * pools use the same database.
 */
const WRITES = /\b(?:insert|update|delete|share)\b/i

/**
 * Divides statements between two pools. Statements that may wait for locks have a separate pool, so that they cannot
 * block reads.
 */
function divide(reads: Database, writes: Database): Database {
  const of = ({ texts }: SqlFragment): Queryable => (texts.some(text => WRITES.test(text)) ? writes : reads)
  return {
    query: fragment => of(fragment).query(fragment),
    one: fragment => of(fragment).one(fragment),
    maybeOne: fragment => of(fragment).maybeOne(fragment),
    execute: fragment => of(fragment).execute(fragment),
    transaction: work => writes.transaction(work),
    session: work => writes.session(work),
    probe: () => reads.probe(),
    close: () => Promise.all([reads.close(), writes.close()]).then(() => undefined),
  }
}

/**
 * Opens the connection pools of one process.
 * @param among number of processes that share the connections for user requests
 */
export function openPools(connection: pg.ClientConfig, timeZone: string, among = 1): Pools {
  const watch = openConnectionMonitor(connection)
  const shared = { connection, timeZone, watch }
  const open = (purpose: keyof typeof SIZES, limits: object) =>
    openDatabase({ ...shared, poolSize: Math.max(LEAST, Math.ceil(SIZES[purpose] / among)), ...limits })
  const calls = divide(open('reads', CALL_LIMITS), open('writes', WRITE_LIMITS))
  const mails = open('mails', WRITE_LIMITS)
  const jobs = open('jobs', JOB_LIMITS)
  return {
    calls,
    mails,
    jobs,
    async close() {
      await Promise.all([calls.close(), mails.close(), jobs.close()])
      await watch.close()
    },
  }
}

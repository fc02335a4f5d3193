import type pg from 'pg'
import { type Database, openDatabase, type Queryable } from './client.ts'
import { openConnectionMonitor } from './connection-monitor.ts'
import type { SqlFragment } from './sql.ts'

/** The database of a portal, by purpose: none can take the connections of another. */
export type Pools = {
  /** for the calls of people: short, so within bounds */
  calls: Database
  mails: Database
  /** for migrations, imports and retention, which take as long as they take */
  jobs: Database
  close(): Promise<void>
}

/** Connections at most. With the one that asks for signs of life 20, so that four portals fit into the usual 100. */
const SIZES = { reads: 7, writes: 8, mails: 2, jobs: 2 }
/** Of several processes that serve together. */
const LEAST = 2
const CALL_LIMITS = {
  statementTimeoutMs: 15_000,
  // Counted for each lock: behind another one who waits it is twice this.
  lockTimeoutMs: 2_000,
  idleTransactionMs: 8_000,
  connectTimeoutMs: 2_000,
  // See docs/decisions/0003.
  isPlannedForGrowth: true,
}
const WRITE_LIMITS = { ...CALL_LIMITS, isForWrites: true }
const JOB_LIMITS = { statementTimeoutMs: 0 }

/** What changes rows or locks them. A word too many, in a comment say, does no harm: both kinds reach the same database. */
const WRITES = /\b(?:insert|update|delete|share)\b/i

/** Statements that may wait for locks have connections of their own, so that lists and sessions go on while they wait. */
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

/** @param among how many processes of one portal share the connections for calls */
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

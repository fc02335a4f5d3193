import type { Socket } from 'node:net'
import pg from 'pg'
import { withStallTolerantTimeout } from './stall-tolerant-timeout.ts'
import { NoResponseError, ReadOnlyError } from './unavailable.ts'

export type BackendActivity = {
  /**
   * process ids of the looked-up backends that are executing a statement, each with whether the backend is waiting for
   * a lock or for a synchronous standby
   */
  busy: ReadonlyMap<number, boolean>
  /** commits in this database that have been waiting for a synchronous standby for longer than REPLICATION_LIMIT_S */
  unconfirmed: readonly string[]
}

export type Probe = {
  /**
   * Checks on a dedicated connection whether the database responds and accepts writes.
   * @param limitMs timeout
   * @param pids backends to look up
   * @throws NoResponseError, ReadOnlyError, or the error returned by the server
   */
  ask(limitMs: number, pids?: readonly number[]): Promise<BackendActivity>
  close(): Promise<void>
}

const REPLICATION_LIMIT_S = 2

const QUESTION = `
  select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
    array(select json_build_array(pid, coalesce(wait_event = 'SyncRep' or wait_event_type = 'Lock', false))
      from pg_stat_activity where pid = any($1::int[]) and state = 'active') as busy,
    array(select concat(pid, ' ', state_change) from pg_stat_activity
      where datname = current_database() and wait_event = 'SyncRep'
        and state_change < clock_timestamp() - interval '${REPLICATION_LIMIT_S} s') as unconfirmed`

/**
 * Share of the timeout that is spent on the existing connection, which may be lost even though the database is
 * available.
 */
const KEPT_SHARE = 0.4

/** The connection's socket, which the library's types omit. */
const socketOf = (client: pg.ClientBase): Socket => Reflect.get(client, 'connection').stream

/**
 * Destroys a connection without a protocol close, which an unresponsive network would not deliver. Pending queries fail
 * with `reason`.
 */
export const destroyConnection = (client: pg.ClientBase, reason: Error): void => void socketOf(client).destroy(reason)

export const countReceivedBytes = (client: pg.ClientBase): number => socketOf(client).bytesRead

/** Opens a probe, which checks the database on a dedicated connection. */
export function openProbe(config: pg.ClientConfig): Probe {
  let kept: pg.Client | null = null

  const question = async (client: pg.Client, pids: readonly number[]) => {
    const { rows } = await client.query<{ isReadOnly: boolean; busy: [number, boolean][]; unconfirmed: string[] }>(
      QUESTION,
      [pids],
    )
    if (rows[0]?.isReadOnly !== false) throw new ReadOnlyError('the database takes no writes')
    return { busy: new Map(rows[0].busy), unconfirmed: rows[0].unconfirmed }
  }

  const attempt = async (client: pg.Client, limitMs: number, work: () => Promise<BackendActivity>) => {
    try {
      const busy = await withStallTolerantTimeout(
        work(),
        limitMs,
        () => new NoResponseError('the database does not answer'),
      )
      if (kept === null) kept = client
      else destroyConnection(client, new Error('one too many'))
      return busy
    } catch (error) {
      destroyConnection(client, error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }

  return {
    async ask(limitMs, pids = []) {
      const old = kept
      kept = null
      // The existing connection may be lost even though the database is available, so the check is repeated on a new
      // one.
      const answer = old && (await attempt(old, limitMs * KEPT_SHARE, () => question(old, pids)).catch(() => null))
      if (answer) return answer
      const client = new pg.Client(config)
      // A lost connection rejects the pending query. It also emits an `error` event, which would end the process if it
      // were unhandled.
      client.on('error', () => undefined)
      const share = old ? 1 - KEPT_SHARE : 1
      return attempt(client, limitMs * share, () => client.connect().then(() => question(client, pids)))
    },
    async close() {
      await kept?.end()
    },
  }
}

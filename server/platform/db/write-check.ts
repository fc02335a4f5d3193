import { hostname } from 'node:os'
import pg from 'pg'
import { destroyConnection } from './probe.ts'
import { requireReplication } from './replication.ts'
import { withStallTolerantTimeout } from './stall-tolerant-timeout.ts'
import { NoResponseError } from './unavailable.ts'

export type WriteCheck = {
  /**
   * Resolves if the database has committed a write within the last second.
   * @throws Error recognized by isUnavailable
   */
  run(): Promise<void>
  close(): Promise<void>
}

const PERIOD_MS = 1_000
const LIMIT_MS = 2_000

/**
 * Commits a row as a booking does, so it waits for a synchronous standby and fails on a read-only server. The sort
 * exceeds `work_mem` and needs a temporary file, so the statement also fails on a full disk, where updating a small row
 * would still succeed.
 */
const WRITE = `
  with sorted as (select count(distinct repeat(md5(n::text), 8)) as count from generate_series(1, 1000) n),
    expired as (delete from write_checks where checked_at < clock_timestamp() - interval '1 day' and server <> $1)
  insert into write_checks (server, checked_at) select $1, clock_timestamp() from sorted where count > 0
  on conflict (server) do update set checked_at = excluded.checked_at`

/** Connection with the process id of its backend, which is 0 until the connection is open. */
type Connection = { client: pg.Client; pid: number }

const silence = () => new NoResponseError(`the database does not commit within ${LIMIT_MS} ms`)

/** Checks on a dedicated connection whether the database can commit. All callers share one check per second. */
export function createWriteCheck(config: pg.ClientConfig): WriteCheck {
  let kept: Connection | null = null
  let current = { startedAt: Number.NEGATIVE_INFINITY, isRunning: false, result: Promise.resolve() }

  const create = (): Connection => {
    const client = new pg.Client(config)
    // A lost connection makes the statement fail. It also emits an `error` event, which would end the process if it
    // were unhandled.
    client.on('error', () => undefined)
    return { client, pid: 0 }
  }
  const open = async (connection: Connection) => {
    await connection.client.connect()
    const { rows } = await connection.client.query<{ pid: number }>(
      "select pg_backend_pid() as pid from (select set_config('work_mem', '64kB', false)) as settings",
    )
    connection.pid = rows[0]?.pid ?? 0
  }
  const writeOn = ({ client }: Connection) => requireReplication(client, () => client.query(WRITE, [hostname()]))

  const write = async () => {
    let connection = kept
    let isOver = false
    const work = async () => {
      // The connection may be lost, or its server may no longer be the primary, so an error is confirmed on a new
      // connection.
      const isWritten = connection !== null && (await writeOn(connection).catch(() => null)) !== null
      if (isWritten || isOver) return
      if (connection) destroyConnection(connection.client, new Error('replaced'))
      connection = create()
      await open(connection)
      await writeOn(connection)
    }
    try {
      await withStallTolerantTimeout(work(), LIMIT_MS, silence)
      kept = connection
    } catch (error) {
      isOver = true
      kept = null
      if (connection) abandon(connection, error)
      throw error
    }
  }
  /**
   * Cancels a statement that waits for a standby, because its backend does not notice that the connection was closed.
   */
  const cancel = async (pid: number) => {
    const connection = create()
    const work = open(connection).then(() => connection.client.query('select pg_cancel_backend($1)', [pid]))
    await withStallTolerantTimeout(work, LIMIT_MS, silence).finally(() =>
      destroyConnection(connection.client, new Error('cancelled')),
    )
  }
  const abandon = ({ client, pid }: Connection, error: unknown) => {
    destroyConnection(client, error instanceof Error ? error : new Error(String(error)))
    // If the database cannot be reached, the statement cannot be cancelled. It then ends when its wait for a standby or
    // a lock ends.
    if (error instanceof NoResponseError && pid > 0) cancel(pid).catch(() => undefined)
  }

  return {
    run() {
      if (!current.isRunning && performance.now() - current.startedAt >= PERIOD_MS) {
        const run = { startedAt: performance.now(), isRunning: true, result: write() }
        const end = () => {
          run.isRunning = false
        }
        run.result.then(end, end)
        current = run
      }
      return current.result
    },
    async close() {
      // The caller has already received the error.
      await current.result.catch(() => undefined)
      await kept?.client.end()
    },
  }
}

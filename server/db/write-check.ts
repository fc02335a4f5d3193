import { hostname } from 'node:os'
import pg from 'pg'
import { destroyClient } from './probe.ts'
import { requireReplication } from './replication.ts'
import { withStallTolerantTimeout } from './stall-tolerant-timeout.ts'
import { SilentError } from './unavailable.ts'

export type WriteCheck = {
  /** Resolves when the database has committed a write within the last second. @throws Error, of which isUnavailable knows */
  run(): Promise<void>
  close(): Promise<void>
}

const PERIOD_MS = 1_000
const LIMIT_MS = 2_000

/**
 * Commits a row, as a booking does: waits for a synchronous standby, fails on a read-only server. The sort is larger than `work_mem`,
 * so it goes through a temporary file and fails on a full disk, where updating one small row still works.
 */
const WRITE = `
  with sorted as (select count(distinct repeat(md5(n::text), 8)) as count from generate_series(1, 1000) n),
    expired as (delete from write_checks where checked_at < clock_timestamp() - interval '1 day' and server <> $1)
  insert into write_checks (server, checked_at) select $1, clock_timestamp() from sorted where count > 0
  on conflict (server) do update set checked_at = excluded.checked_at`

type Connected = { client: pg.Client; pid: number }

/**
 * Checks on a dedicated connection whether the database commits, at most once a second for all callers.
 */
export function createWriteCheck(config: pg.ClientConfig): WriteCheck {
  let kept: Connected | null = null
  let current = { startedAt: Number.NEGATIVE_INFINITY, isRunning: false, result: Promise.resolve() }

  const connect = async (): Promise<Connected> => {
    const client = new pg.Client(config)
    // The statement fails with it; the event beside it would end the process.
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      "select pg_backend_pid() as pid from (select set_config('work_mem', '64kB', false)) as settings",
    )
    return { client, pid: rows[0]?.pid ?? 0 }
  }

  const writeOn = async ({ client }: Connected) => {
    await requireReplication(client, () => client.query(WRITE, [hostname()]))
    return true
  }

  const write = async () => {
    let connected: Connected | null = kept
    const work = async () => {
      // A connection of an earlier check may be lost, or lead to a server that is primary no longer: a new one decides.
      if (connected && (await writeOn(connected).catch(() => false))) return
      if (connected) destroyClient(connected.client, new Error('replaced'))
      connected = null
      connected = await connect()
      await writeOn(connected)
    }
    try {
      await withStallTolerantTimeout(
        work(),
        LIMIT_MS,
        () => new SilentError(`the database does not commit within ${LIMIT_MS} ms`),
      )
      kept = connected
    } catch (error) {
      kept = null
      if (connected !== null) abandon(connected, error)
      throw error
    }
  }
  /** Cancels a statement that waits for a standby: the server process does not notice that its connection is closed. */
  const cancel = async (pid: number) => {
    const { client } = await connect()
    await client.query('select pg_cancel_backend($1)', [pid]).finally(() => client.end())
  }
  const abandon = ({ client, pid }: Connected, error: unknown) => {
    destroyClient(client, error instanceof Error ? error : new Error(String(error)))
    // Without a connection to the database nothing can be cancelled, and nothing has to be.
    if (error instanceof SilentError) cancel(pid).catch(() => undefined)
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
      // Whoever called it has its error.
      await current.result.catch(() => undefined)
      await kept?.client.end()
    },
  }
}

import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { destroyConnection } from './probe.ts'
import { withStallTolerantTimeout } from './stall-tolerant-timeout.ts'
import { NoResponseError, ReadOnlyError } from './unavailable.ts'

export type PoolOptions = {
  connection: pg.ClientConfig
  /** IANA time zone in which the database returns and interprets local times */
  timeZone: string
  poolSize: number
  /** 0: no timeout */
  statementTimeoutMs: number
  /** maximum wait for a lock in ms; 0: no timeout */
  lockTimeoutMs?: number
  /** maximum idle time of an open transaction in ms, so that the locks of a disconnected portal are released */
  idleTransactionMs?: number
  connectTimeoutMs?: number
  /** prefer index scans even for small tables, because cached plans remain in use while a table grows */
  isPlannedForGrowth?: boolean
}

const KEEP_ALIVE_MS = 5_000
const MAX_AGE_S = 600

/** Opens a connection pool with uniform session settings that rejects read-only connections. */
export function openPool(options: PoolOptions) {
  const { connection, timeZone, poolSize, statementTimeoutMs, isPlannedForGrowth } = options
  const { lockTimeoutMs = 0, idleTransactionMs = 60_000, connectTimeoutMs = 10_000 } = options
  /** Process id of each connection's backend. */
  const pids = new WeakMap<pg.ClientBase, number>()
  const clients = new Set<pg.PoolClient>()
  const idle = new Set<pg.PoolClient>()

  const settings = {
    TimeZone: timeZone,
    DateStyle: 'ISO, YMD',
    default_transaction_isolation: 'read committed',
    statement_timeout: `${statementTimeoutMs}ms`,
    lock_timeout: `${lockTimeoutMs}ms`,
    idle_in_transaction_session_timeout: `${idleTransactionMs}ms`,
    // Limits how long the server holds the locks of a portal whose network connection is lost.
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '2',
    tcp_keepalives_count: '3',
    tcp_user_timeout: '10s',
    // JIT compilation would take longer than these short statements.
    jit: 'off',
    ...(isPlannedForGrowth && { enable_seqscan: 'off' }),
  }
  const prepare = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number; isReadOnly: boolean }>(
      `select pg_backend_pid() as pid, pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"
       from (select count(set_config(key, value, false)) from json_each_text($1)) as set_all`,
      [JSON.stringify(settings)],
    )
    if (rows[0]?.isReadOnly !== false) throw new ReadOnlyError('the database takes no writes')
    pids.set(client, rows[0].pid)
  }
  const pool = new pg.Pool({
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // 0 disables pg's connection timeout, whose timer mistakes a stall of this process for a stall of the database. It
    // is replaced by `withStallTolerantTimeout`.
    connectionTimeoutMillis: 0,
    Client: clientWithin(connectTimeoutMs),
    maxLifetimeSeconds: MAX_AGE_S,
    ...connection,
    max: poolSize,
    types: columnTypes,
    onConnect: client => {
      return withStallTolerantTimeout(prepare(client), connectTimeoutMs, silence).catch(error => {
        destroyConnection(client, error)
        throw error
      })
    },
  })
  // The failed query reports a lost connection. The connection also emits an `error` event, which would end the process
  // if it were unhandled.
  const ignoreLostConnection = () => undefined
  pool.on('error', ignoreLostConnection)
  pool.on('connect', client => {
    clients.add(client)
    client.on('error', ignoreLostConnection)
  })
  pool.on('acquire', client => void idle.delete(client))
  pool.on('release', (_, client) => void idle.add(client))
  pool.on('remove', client => {
    clients.delete(client)
    idle.delete(client)
  })

  return {
    connect: () => pool.connect(),
    pidOf: (client: pg.ClientBase): number => pids.get(client) ?? 0,
    /** Destroys the idle connections or all connections, without a protocol close. */
    cut(which: 'idle' | 'all', reason: Error): void {
      for (const client of which === 'all' ? clients : idle) destroyConnection(client, reason)
    },
    end: () => pool.end(),
  }
}

const silence = () => new NoResponseError('the database does not answer')

const clientWithin = (limitMs: number) =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (...given: Error[]) => void): Promise<pg.Client> | undefined {
      const connected = withStallTolerantTimeout(super.connect(), limitMs, silence).catch(error => {
        destroyConnection(this, error)
        throw error
      })
      if (callback === undefined) return connected
      connected.then(() => callback(), callback)
      return undefined
    }
  }

import pg from 'pg'
import type { Config } from '#server/platform/config/config.ts'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '#server/platform/postgres/embedded.ts'
import { upgradeCluster } from '#server/platform/postgres/upgrade.ts'
import { pauseUnlessStopping } from '#server/platform/process/background-task.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { withProgress } from '#server/platform/process/progress.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { createQueryableOnClient, type Database, type Queryable, sql } from './client.ts'
import { copyPortal } from './copies/copy.ts'
import { assertDatabaseNotMoved } from './copies/write-fence.ts'
import { verifyPooler } from './pooler.ts'
import { MAX_CONNECTIONS, openPools, type Pools } from './pools.ts'
import { ReadOnlyError } from './unavailable.ts'

export type OpenedDatabase = {
  pools: Pools
  /** connection settings with which other processes of this portal open their pools */
  connection: pg.ClientConfig
  /** embedded server that this process started or shares; null for an external database */
  embedded: EmbeddedPostgres | null
  /** lines for the operator about the database */
  warnings: string[]
  /**
   * Waits for statements in progress and closes the connections. An embedded PostgreSQL stops when no other process
   * uses it.
   */
  close(): Promise<void>
  /** closes the connections without waiting, so that open transactions roll back; for an exiting process */
  abandon(): Promise<void>
}

type Purpose = Pick<EmbeddedOptions, 'role' | 'processLabel' | 'onLost'> & {
  /** whether to accept a database whose rows have been moved to another database by `npm run move` */
  mayBeMoved?: boolean
}

const CONNECT_TIMEOUT_MS = 10_000

/** The database is not available at the moment: it may be starting, or its host may be restarting. */
export class DatabaseAwayError extends StartError {
  override name = 'DatabaseAwayError'
}

const RETRY_MS = 1_000
/** Less than `TimeoutStartSec` of packaging/portal.service. */
const AWAY_LIMIT_MS = 600_000

/**
 * Opens the configured database like `connectDatabase`, but waits for an external one that is not available, since
 * machines that lost power start in any order.
 * @param stopping ends the wait
 * @param onAway called with each new reason
 * @throws DatabaseAwayError after ten minutes
 */
export async function awaitDatabase(
  config: Config,
  purpose: Purpose,
  { stopping, onAway }: { stopping: AbortSignal; onAway: (reason: string) => void },
): Promise<OpenedDatabase> {
  const until = performance.now() + AWAY_LIMIT_MS
  let reported = ''
  for (;;) {
    try {
      return await connectDatabase(config, purpose)
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) || stopping.aborted || performance.now() > until) throw error
      if (error.message !== reported) onAway(error.message)
      reported = error.message
      await pauseUnlessStopping(RETRY_MS, stopping)
    }
  }
}

/**
 * Opens the configured database: the one at DATABASE_URL or, without this setting, the embedded one in DATA_DIR.
 * @throws StartError if it cannot be reached; the message never contains the password
 */
export async function connectDatabase(
  config: Config,
  { mayBeMoved = false, ...purpose }: Purpose,
): Promise<OpenedDatabase> {
  if (config.databaseUrl === null) {
    await upgradeCluster({ dataDir: config.dataDir, processLabel: purpose.processLabel }, (from, to) =>
      withProgress(report => copyPortal(from, to, config.timeZone, report)),
    )
    const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, ...purpose })
    const { connection } = embedded
    const pools = openPools(connection, config.timeZone)
    const close = () => pools.close().finally(embedded.stop)
    try {
      if (!mayBeMoved) await withSingleConnection(connection, assertDatabaseNotMoved)
    } catch (error) {
      await close()
      throw error
    }
    return { pools, connection, embedded, warnings: [], close, abandon: embedded.stop }
  }
  const connection = { connectionString: config.databaseUrl, application_name: purpose.processLabel }
  const pools = openPools(connection, config.timeZone)
  let warnings: string[]
  try {
    warnings = await verifyPooler(connection, purpose.role === 'portal' ? MAX_CONNECTIONS : 2)
    if (!mayBeMoved) {
      await withSingleConnection(connection, assertDatabaseNotMoved)
      await verifyDatabase(pools.jobs)
    }
  } catch (error) {
    await pools.close()
    if (error instanceof StartError) throw error
    throw explainUnreachable(new URL(config.databaseUrl), error)
  }
  return { pools, connection, embedded: null, warnings, close: pools.close, abandon: async () => {} }
}

/** Runs work on a single connection outside the pools, because the pools reject read-only databases. */
export async function withSingleConnection<Result>(
  connection: pg.ClientConfig,
  work: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...connection })
  // After the connection is lost, the pending statement fails and reports the error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(createQueryableOnClient(client))
  } finally {
    // Ignores a connection that was never established.
    await client.end().catch(() => undefined)
  }
}

async function verifyDatabase(db: Database): Promise<void> {
  const { name, role, encoding, isOurs } = await db.one<
    Record<'name' | 'role' | 'encoding', string> & { isOurs: boolean }
  >(
    sql`select current_database() as name, current_user as role, current_setting('server_encoding') as encoding,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "isOurs"`,
  )
  if (encoding !== 'UTF8') throw new Error(`the database ${name} has the encoding ${encoding}: make one with UTF8`)
  if (!isOurs) throw new Error(`${role} lacks the privilege to create tables in the database ${name}`)
}

function explainUnreachable(url: URL, error: unknown): StartError {
  const { code, message } = errorFactsOf(error)
  const user = decodeURIComponent(url.username)
  const host = url.searchParams.get('host') ?? url.host
  const reasons: Record<string, string> = {
    ECONNREFUSED: `nobody answers at ${host}`,
    ENOENT: `nobody answers at ${host}`,
    ENOTFOUND: `the host ${url.hostname} is unknown`,
    EAI_AGAIN: `the host ${url.hostname} is unknown`,
    EHOSTUNREACH: `the host ${url.hostname} cannot be reached`,
    ENETUNREACH: `the host ${url.hostname} cannot be reached`,
    ECONNRESET: `${host} hangs up`,
    EPIPE: `${host} hangs up`,
    ETIMEDOUT: `the host ${url.hostname} cannot be reached`,
    '28P01': `${host} does not accept the password of ${user || 'the user'}`,
    '28000': `${host} does not let ${user || 'the user'} in`,
    '3D000': `${host} has no database ${decodeURIComponent(url.pathname.slice(1))}`,
    '42501': `${user} may not use the database`,
    '53300': `${host} has no connection left`,
    '57P03': `${host} is starting or stopping`,
    '57P01': `${host} is starting or stopping`,
  }
  const isAway = /^(?:E[A-Z_]+|53300|57P0[13])$/.test(code) && code in reasons
  if (error instanceof ReadOnlyError)
    return new DatabaseAwayError(`DATABASE_URL: ${host} takes no writes: it is a standby, or set to be read only`)
  // Messages for connection errors that the client library reports without a code.
  const words: [RegExp, string][] = [
    [/password must be a/, `${host} asks for the password of ${user || 'the user'}`],
    [/timeout|does not answer/, `${host} does not answer`],
    [/terminated unexpectedly/, `${host} hangs up`],
  ]
  const word = words.find(([pattern]) => pattern.test(message))
  const reason = `DATABASE_URL: ${reasons[code] ?? word?.[1] ?? message}`
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return new StartError(
      `DATABASE_URL: the certificate of ${host} is not trusted (${message.split(';')[0]}): name its authority with ` +
        'sslmode=verify-full&sslrootcert=FILE, or encrypt without proof of identity with sslmode=no-verify',
    )
  return isAway || (word && word !== words[0]) ? new DatabaseAwayError(reason) : new StartError(reason)
}

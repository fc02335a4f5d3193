import pg from 'pg'
import { StartError } from '#server/platform/process/start-error.ts'
import { destroyConnection } from './probe.ts'

const LOGIN_MS = 10_000
/** A pooler accepts further logins at once, but their first statement waits for a server connection. */
const STATEMENT_MS = 3_000

const REFUSAL =
  'DATABASE_URL: a connection pooler in transaction or statement mode mixes the sessions of its clients: ' +
  'set pool_mode = session for this database'

const readPid = (client: pg.Client): Promise<number | null> =>
  Promise.race([
    client.query<{ pid: number }>('select pg_backend_pid() as pid').then(({ rows }) => rows[0]?.pid ?? null),
    new Promise<null>(resolve => setTimeout(resolve, STATEMENT_MS, null).unref()),
  ])

/**
 * Checks a connection pooler (such as PgBouncer) between portal and database. It is recognized by process ids of its
 * own.
 * @param wanted number of connections that the caller uses at most
 * @returns a warning if the pooler provides fewer connections
 * @throws StartError if sessions are not kept: the portal depends on session settings, advisory locks and prepared
 * statements
 */
export async function verifyPooler(connection: pg.ClientConfig, wanted: number): Promise<string[]> {
  const clients: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client({ connectionTimeoutMillis: LOGIN_MS, ...connection })
    // The failed statement reports a lost connection.
    client.on('error', () => undefined)
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const first = await connect()
    const pid = await readPid(first)
    if (pid === null || pid === Reflect.get(first, 'processID')) return []
    const second = await connect()
    const otherPid = await readPid(second)
    if (pid === otherPid || pid !== (await readPid(first))) throw new StartError(REFUSAL)
    const others = Array.from({ length: wanted - 2 }, async () => readPid(await connect()))
    // A connection that is refused is one that the pooler does not provide.
    const pids = [pid, otherPid, ...(await Promise.all(others.map(other => other.catch(() => null))))]
    const provided = pids.filter(found => found !== null)
    if (new Set(provided).size < provided.length) throw new StartError(REFUSAL)
    if (provided.length === wanted) return []
    return [
      `DATABASE_URL: the connection pooler provides ${provided.length} connections at the moment, and a portal uses up to ${wanted}: ` +
        `set default_pool_size to ${wanted} for each portal, or requests get 503 under load.`,
    ]
  } finally {
    for (const client of clients) destroyConnection(client, new Error('checked'))
  }
}

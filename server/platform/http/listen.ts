import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer as createDoor, type Server as Door } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorFacts, errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { failureCodeOf } from '#server/platform/texts/failure-codes.ts'
import { CONNECTION_LIMITS, type IsOfCrowd, limitConnections, serializeRequests } from './connections.ts'

/**
 * No timeout for a whole request, because uploads over a slow connection take minutes: `read-body.ts` ends bodies below
 * a minimum rate, and `limitConnections` ends idle connections.
 */
const requestTimeout = 0
/**
 * Keep-alive timeout in ms: longer than the idle timeout of common proxies, which would otherwise reuse a connection
 * while it is being closed.
 */
const keepAliveTimeout = 75_000
/**
 * Length of the accept queue, sufficient for the burst when booking opens. The operating system may impose a lower
 * limit.
 */
const backlog = 16_384
/**
 * Number of additional listening sockets. Node accepts one connection per socket and event loop iteration, which is too
 * slow under load, so several sockets share the address where the system supports it (SO_REUSEPORT). See
 * docs/decisions/0070.
 */
const MORE_DOORS = process.platform === 'linux' ? 15 : 0
/**
 * Lowest port that does not require root. Worker processes (setting `PROCESSES`) do not run as root. For lower ports,
 * they share the socket that the root process has opened.
 */
const FIRST_OPEN_PORT = 1_024
/** Delay in ms during shutdown, long enough to read requests that have already arrived. */
const LAST_CALLS_MS = 100

export type ListeningServer = {
  /** Stops accepting connections, and waits at most `patienceMs` for pending responses. */
  close(patienceMs: number): Promise<void>
}

/**
 * Starts the HTTP server.
 * @throws StartError if the address is unavailable
 */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  host: string,
  port: number,
  own: Partial<typeof CONNECTION_LIMITS> = {},
  isOfCrowd?: IsOfCrowd,
): Promise<ListeningServer> {
  const limits = { ...CONNECTION_LIMITS, ...own }
  // HTTP/1.0 requests may lack a Host header, so this name serves as a placeholder.
  const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: refuseAddress })
  const line = serializeRequests(listener, limits, isOfCrowd)
  const { headersTimeout, connectionsCheckingInterval } = limits
  const timeouts = { headersTimeout, connectionsCheckingInterval, requestTimeout, keepAliveTimeout }
  const server = createServer({ ...timeouts, ServerResponse: line.ServerResponse }, line.listener)
  limitConnections(server, limits, line.isMakingAnswer)
  // Without this listener, Node asks for every body before the app has decided whether it is received.
  server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  let underWay = 0
  server.on('request', (_, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  const moreDoors = cluster.isWorker && port < FIRST_OPEN_PORT ? 0 : MORE_DOORS
  const doors = [server, ...Array.from({ length: moreDoors }, () => createAnotherDoor(server))]
  // If several processes share the address, the primary process holds the lock.
  const lock = cluster.isWorker ? null : await lockListenAddress(host, port)
  try {
    await bind(server, host, port, moreDoors > 0)
    const { port: own } = server.address() as AddressInfo
    for (const door of doors.slice(1)) await bind(door, host, own, true)
  } catch (error) {
    for (const door of [...doors, lock]) door?.close()
    throw error
  }
  return {
    async close(patienceMs) {
      await close(server, doors, () => underWay > 0, patienceMs)
      lock?.close()
    },
  }
}

const createAnotherDoor = (server: Server): Door =>
  createDoor({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket))

/**
 * Acquires an abstract socket named after the address as a lock, because SO_REUSEPORT would allow two portals to share
 * the address.
 * @throws StartError if another portal holds the lock
 */
export async function lockListenAddress(host: string, port: number): Promise<Door | null> {
  if (MORE_DOORS === 0 || port === 0) return null
  const lock = createDoor()
  try {
    lock.listen(`\0portal ${host} ${port}`)
    await once(lock, 'listening')
  } catch {
    throw new StartError(explainBindError(host, port, { code: 'EADDRINUSE', message: '' }))
  }
  return lock.unref()
}

/**
 * Checks that the address is available before anything else is started.
 * @returns the port; for port 0, a free one
 * @throws StartError if the address is not available
 */
export async function findAvailablePort(host: string, port: number): Promise<number> {
  const server = createServer()
  await bind(server, host, port, false)
  const { port: found } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return found
}

async function bind(door: Door, host: string, port: number, reusePort: boolean): Promise<void> {
  try {
    door.listen({ host, port, backlog, reusePort })
    await once(door, 'listening')
  } catch (error) {
    throw new StartError(explainBindError(host, port, errorFactsOf(error)), { cause: error })
  }
}

/** Explains why the portal cannot listen on an address, and names the settings that define it. */
export function explainBindError(
  host: string,
  port: number,
  { code, message }: Pick<ErrorFacts, 'code' | 'message'>,
  { HOST, PORT } = { HOST: 'HOST', PORT: 'PORT' },
): string {
  if (code === 'EADDRINUSE')
    return `${PORT} ${port} on ${host} is in use by another program: stop it, or set another ${PORT}`
  if (code === 'EACCES') return `${PORT} ${port} is not allowed for this user: set a ${PORT} above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${HOST} ${host} is no address of this machine: set 127.0.0.1, 0.0.0.0 or one of its own`
  return `${HOST} ${host}, ${PORT} ${port}: ${message}`
}

async function close(server: Server, doors: Door[], isAnswering: () => boolean, patienceMs: number): Promise<void> {
  const closed = Promise.all(doors.map(door => once(door, 'close')))
  await sleep(Math.min(LAST_CALLS_MS, patienceMs))
  for (const door of doors) door.close()
  // Closes connections that become idle during shutdown and would otherwise stay open for another request. Connections
  // that have not sent any request yet, such as a browser's preconnects, are not considered idle.
  const sweep = setInterval(() => {
    if (isAnswering()) server.closeIdleConnections()
    else server.closeAllConnections()
  }, 50)
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
}

/** Creates the response to requests with an invalid URL or host, which never reach the app. */
function refuseAddress(error: unknown): Response {
  const status = error instanceof RequestError ? 400 : 500
  return Response.json(
    {
      status: 'Failed',
      code: failureCodeOf(status === 400 ? 'http.malformed' : 'http.fault'),
      message: STATUS_CODES[status],
    },
    { status },
  )
}

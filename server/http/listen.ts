import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer as createDoor, type Server as Door } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorFacts, factsOf } from '#server/error-facts.ts'
import { StartError } from '#server/start-error.ts'
import { CONNECTION_LIMITS, limitConnections, oneByOne } from './connections.ts'
import { answerDirectly, type DirectAnswers } from './direct.ts'

/** A caller who sends its request drop by drop is let go, so that its connection is free for others. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }
/** Longer than the idle time of common proxies, which would otherwise send into a connection that is just being closed. */
const keepAliveTimeout = 75_000
/** Connections waiting to be taken: at the opening second everybody comes at once. The system may allow fewer. */
const backlog = 16_384
/**
 * Node takes one connection in a turn of its event loop from each socket that listens, and a turn may be long while thousands
 * are answered: so many more of them share the address where the system can do that. See docs/decisions/0070.
 */
const MORE_DOORS = process.platform === 'linux' ? 15 : 0
/** Below it only root opens sockets, which the processes of `PROCESSES` are not: they share the one that root has opened. */
const FIRST_OPEN_PORT = 1_024
/** Enough turns of the event loop to take the calls that had arrived, but were not read yet, when the stop came. */
const LAST_CALLS_MS = 100

export type Listening = {
  /** Takes no more connections, waits for the answers under way, at most `patienceMs`. */
  close(patienceMs: number): Promise<void>
}

/** @throws StartError when the address is not to be had */
export async function listen(
  app: Pick<Hono, 'fetch'>,
  host: string,
  port: number,
  own: Partial<typeof CONNECTION_LIMITS> = {},
  direct?: DirectAnswers,
): Promise<Listening> {
  const limits = { ...CONNECTION_LIMITS, ...own }
  // HTTP/1.0 needs no host header; the name is used nowhere.
  const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: refuseAddress })
  const line = oneByOne(direct ? answerDirectly(direct, listener) : listener, limits)
  const server = createServer({ ...timeouts, keepAliveTimeout, ServerResponse: line.ServerResponse }, line.listener)
  limitConnections(server, limits, line.isMakingAnswer)
  let underWay = 0
  server.on('request', (_, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  const moreDoors = cluster.isWorker && port < FIRST_OPEN_PORT ? 0 : MORE_DOORS
  const doors = [server, ...Array.from({ length: moreDoors }, () => createAnotherDoor(server))]
  // For processes that share it the one in charge has the name of the address.
  const lock = cluster.isWorker ? null : await lockAddress(host, port)
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
 * Sockets that share an address would share it with those of another portal, too: only one may have the name of it.
 * @throws StartError when another one has it
 */
export async function lockAddress(host: string, port: number): Promise<Door | null> {
  if (MORE_DOORS === 0 || port === 0) return null
  const lock = createDoor()
  try {
    lock.listen(`\0portal ${host} ${port}`)
    await once(lock, 'listening')
  } catch {
    throw new StartError(explainBind(host, port, { code: 'EADDRINUSE', message: '' }))
  }
  return lock.unref()
}

/** Makes sure early that the address is to be had. @returns the port, a free one in place of 0 @throws StartError when it is not */
export async function findPort(host: string, port: number): Promise<number> {
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
    throw new StartError(explainBind(host, port, factsOf(error)), { cause: error })
  }
}

/** What is wrong with an address to listen at, by the names of the settings that hold it. */
export function explainBind(
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
  // Connections that become idle only now would otherwise stay open for the next request. One that never asked for anything
  // (browsers open some ahead) does not count as idle.
  const sweep = setInterval(() => {
    if (isAnswering()) server.closeIdleConnections()
    else server.closeAllConnections()
  }, 50)
  await Promise.race([closed, sleep(patienceMs, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
}

/** A request whose address or host cannot be read never reaches the app. */
function refuseAddress(error: unknown): Response {
  const status = error instanceof RequestError ? 400 : 500
  return Response.json({ status: 'Failed', message: STATUS_CODES[status] }, { status })
}

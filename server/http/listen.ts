import { once } from 'node:events'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorFacts, factsOf } from '#server/error-facts.ts'
import { StartError } from '#server/start-error.ts'
import { CONNECTION_LIMITS, limitConnections, oneByOne } from './connections.ts'

/** A caller who sends its request drop by drop is let go, so that its connection is free for others. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }
/** Longer than the idle time of common proxies, which would otherwise send into a connection that is just being closed. */
const keepAliveTimeout = 75_000
/** Connections waiting to be taken: at the opening second everybody comes at once. The system may allow fewer. */
const backlog = 16_384
/** Enough turns of the event loop to take the calls that had arrived, but were not read yet, when the stop came. */
const LAST_CALLS_MS = 100

export type Listening = {
  /** Takes no more connections, waits for the answers under way, at most `patienceMs`. */
  close(patienceMs: number): Promise<void>
}

/** @throws StartError when the address is not to be had */
export async function listen(
  app: Hono,
  host: string,
  port: number,
  own: Partial<typeof CONNECTION_LIMITS> = {},
): Promise<Listening> {
  const limits = { ...CONNECTION_LIMITS, ...own }
  // HTTP/1.0 needs no host header; the name is used nowhere.
  const listener = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: refuseAddress })
  const line = oneByOne(listener, limits)
  const server = createServer({ ...timeouts, keepAliveTimeout }, line.listener)
  limitConnections(server, limits, line.isMakingAnswer)
  let underWay = 0
  server.on('request', (_, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
  })
  await bind(server, host, port)
  return { close: patienceMs => close(server, () => underWay > 0, patienceMs) }
}

/**
 * Makes sure early that the address is to be had.
 * @returns the port; a free one in place of 0
 * @throws StartError when it is not
 */
export async function findPort(host: string, port: number): Promise<number> {
  const server = createServer()
  await bind(server, host, port)
  const { port: found } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return found
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port, backlog })
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(explainBind(host, port, factsOf(error)), { cause: error })
  }
}

function explainBind(host: string, port: number, { code, message }: ErrorFacts): string {
  if (code === 'EADDRINUSE') return `PORT ${port} on ${host} is in use by another program: stop it, or set another PORT`
  if (code === 'EACCES') return `PORT ${port} is not allowed for this user: set a PORT above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST ${host} is no address of this machine: set 127.0.0.1, 0.0.0.0 or one of its own`
  return `HOST ${host}, PORT ${port}: ${message}`
}

async function close(server: Server, isAnswering: () => boolean, patienceMs: number): Promise<void> {
  const closed = once(server, 'close')
  await sleep(Math.min(LAST_CALLS_MS, patienceMs))
  server.close()
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

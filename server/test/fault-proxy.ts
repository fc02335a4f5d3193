import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/**
 * What the proxy does with data and connections:
 * - `pass`: forwards everything
 * - `slow`: forwards every chunk after `delayMs`, in both directions
 * - `swallow`: accepts connections and data but forwards nothing, like a firewall that has dropped its connection state
 * - `reset`: resets open and new connections
 * - `refuse`: resets open connections and does not listen
 * - `full`: responds to new connections with `lastWords` and closes them; open ones are kept
 */
export type Fault = 'pass' | 'slow' | 'swallow' | 'reset' | 'refuse' | 'full'

export type FaultProxy = {
  host: string
  port: number
  /**
   * Sets the fault from now on, even for open connections. A connection that has lost data remains silent forever, as
   * with TCP.
   */
  be(fault: Fault, options?: { delayMs?: number }): Promise<void>
  /** Sets the target of new connections; open ones are not affected. */
  leadTo(target: NetConnectOpts): void
  /** Resets all open connections once this number of bytes has passed, in both directions together. */
  cutAfter(bytes: number): void
  /** number of bytes that have passed */
  passed(): number
  /** Resets all open connections. */
  cut(): void
  /** number of open connections */
  count(): number
  close(): Promise<void>
}

/** Response of a server that has no free connection. */
export const noConnectionLeft = {
  postgres: postgresError('53300', 'sorry, too many clients already'),
  smtp: Buffer.from('421 4.3.2 too many connections\r\n'),
}

function postgresError(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Address of the server in a database URL. */
export function targetOf(databaseUrl: string): NetConnectOpts {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}

/** URL of the same database, accessed through the proxy. */
export function throughProxy(databaseUrl: string, { host, port }: Pick<FaultProxy, 'host' | 'port'>): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  return Object.assign(url, { hostname: host, port: String(port) }).href
}

type Link = { inner: Socket; outer: Socket; isDead: boolean }

/** Starts a TCP proxy for a PostgreSQL or mail server on a port of its own that can simulate faults. */
export async function startFaultProxy(
  firstTarget: NetConnectOpts,
  lastWords: Buffer = noConnectionLeft.postgres,
): Promise<FaultProxy> {
  const host = '127.0.0.1'
  const links = new Set<Link>()
  let target = firstTarget
  let fault: Fault = 'pass'
  let delayMs = 0
  let passed = 0
  let limit = Number.POSITIVE_INFINITY

  const hand = (link: Link, from: Socket, to: Socket) => {
    from.on('data', part => {
      if (fault === 'swallow') link.isDead = true
      if (link.isDead) return
      passed += part.length
      if (passed >= limit) {
        limit = Number.POSITIVE_INFINITY
        return cut()
      }
      if (fault === 'slow') setTimeout(() => to.writable && to.write(part), delayMs)
      else to.write(part)
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      // Across a silent network, one side does not notice that the other has closed the connection.
      if (fault === 'swallow') link.isDead = true
      if (link.isDead && !to.destroyed && from === link.outer) return
      links.delete(link)
      if (fault === 'slow') setTimeout(() => to.destroySoon(), delayMs)
      else to.destroySoon()
    })
  }

  const server = createServer(outer => {
    outer.on('error', () => undefined)
    if (fault === 'reset') return void outer.resetAndDestroy()
    if (fault === 'full') {
      outer.resume()
      return void outer.end(lastWords)
    }
    const inner = connect(target)
    const link = { inner, outer, isDead: fault === 'swallow' }
    links.add(link)
    hand(link, outer, inner)
    hand(link, inner, outer)
  })

  const open = async (port: number) => {
    server.listen({ host, port, backlog: 1024 })
    await once(server, 'listening')
  }
  const cut = () => {
    for (const { inner, outer } of links) {
      outer.resetAndDestroy()
      inner.destroy()
    }
    links.clear()
  }
  const stopListening = async () => {
    if (!server.listening) return
    server.close()
    cut()
    await once(server, 'close')
  }

  await open(0)
  const { port } = server.address() as AddressInfo
  return {
    host,
    port,
    async be(next, options = {}) {
      fault = next
      delayMs = options.delayMs ?? 0
      if (fault === 'refuse') return stopListening()
      if (fault === 'reset') cut()
      if (!server.listening) await open(port)
    },
    leadTo(next) {
      target = next
    },
    cutAfter(bytes) {
      limit = bytes
    },
    passed: () => passed,
    cut,
    count: () => links.size,
    async close() {
      cut()
      await stopListening()
    },
  }
}

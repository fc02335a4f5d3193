import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/**
 * What the proxy does to bytes and connections:
 * - `pass`: nothing
 * - `slow`: hands every part on `delayMs` later, in both directions
 * - `swallow`: takes connections and bytes and hands none on, and nobody is told: a firewall that has forgotten them
 * - `reset`: cuts what is open, and whoever connects
 * - `refuse`: cuts what is open and does not listen
 * - `full`: answers who connects with `lastWords`, and hangs up; what is open stays
 */
export type Fault = 'pass' | 'slow' | 'swallow' | 'reset' | 'refuse' | 'full'

export type FaultProxy = {
  host: string
  port: number
  /** From now on, for open connections too. A connection that has lost bytes once stays silent for ever, as TCP would. */
  be(fault: Fault, options?: { delayMs?: number }): Promise<void>
  /** Where new connections lead from now on; open ones stay. */
  leadTo(target: NetConnectOpts): void
  /** Cuts every open connection. */
  cut(): void
  /** connections open now */
  count(): number
  close(): Promise<void>
}

/** What a server says that has no connection left. */
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

/** Where a database is to be reached. */
export function targetOf(databaseUrl: string): NetConnectOpts {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}

/** The same database, reached through the proxy. */
export function throughProxy(databaseUrl: string, { host, port }: Pick<FaultProxy, 'host' | 'port'>): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  return Object.assign(url, { hostname: host, port: String(port) }).href
}

type Link = { inner: Socket; outer: Socket; isDead: boolean }

/** A TCP proxy on a port of its own which can misbehave, in front of a PostgreSQL or a mail server. */
export async function startFaultProxy(
  firstTarget: NetConnectOpts,
  lastWords: Buffer = noConnectionLeft.postgres,
): Promise<FaultProxy> {
  const host = '127.0.0.1'
  const links = new Set<Link>()
  let target = firstTarget
  let fault: Fault = 'pass'
  let delayMs = 0

  const hand = (link: Link, from: Socket, to: Socket) => {
    from.on('data', part => {
      if (fault === 'swallow') link.isDead = true
      if (link.isDead) return
      if (fault === 'slow') setTimeout(() => to.writable && to.write(part), delayMs)
      else to.write(part)
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      // Whoever sits behind a silent network does not learn that the other one left.
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
    cut,
    count: () => links.size,
    async close() {
      cut()
      await stopListening()
    },
  }
}

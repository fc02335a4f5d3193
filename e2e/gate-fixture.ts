import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportClientError } from '#contract/endpoints/system.ts'
import type { Portal } from './portal.ts'

/** Proxy between browser and portal: interrupts the network for pages and service workers, and deploys new versions. */
export class Gate {
  readonly url: string
  readonly #server: Server
  /** Errors that the app has reported to the server. */
  readonly faults: string[] = []
  /** Closed: every connection is reset, as without a network. A pattern: it is open for these paths only. */
  isOpen: boolean | RegExp = true
  /** Another number produces another version of the app, with a different service worker file. */
  version = 0
  /** Paths that only another version of the app has. */
  missing: RegExp | null = null

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async before(portal: Portal): Promise<Gate> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const gate = new Gate(server)
    server.on('request', (incoming, outgoing) => {
      const { isOpen } = gate
      if (!(isOpen instanceof RegExp ? isOpen.test(incoming.url ?? '') : isOpen)) return incoming.socket.destroy()
      if (gate.missing?.test(incoming.url ?? '')) return outgoing.writeHead(404, { 'Cache-Control': 'no-store' }).end()
      const isWorker = incoming.url === '/sw.js'
      const { 'accept-encoding': encodings, ...headers } = incoming.headers
      const options = {
        method: incoming.method,
        headers: isWorker ? headers : { ...headers, 'accept-encoding': encodings },
      }
      const forwarded = request(`${portal.url}${incoming.url}`, options, answer => {
        const { 'content-length': length, etag, ...rest } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, isWorker ? rest : answer.headers)
        answer.on('data', chunk => outgoing.write(chunk))
        answer.on('end', () => outgoing.end(isWorker ? `\n// version ${gate.version}` : undefined))
      })
      forwarded.on('error', () => incoming.socket.destroy())
      if (incoming.url === reportClientError.path) incoming.on('data', chunk => gate.faults.push(String(chunk)))
      incoming.pipe(forwarded)
    })
    return gate
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

import { type IncomingMessage, type RequestListener, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { failureCodeOf } from '#server/platform/texts/failure-codes.ts'

export type ConnectionLimits = {
  /**
   * idle time in ms after which a connection is destroyed during a request; between two requests, the longer keep-alive
   * timeout applies
   */
  stillMs: number
  /** maximum number of pipelined requests waiting for a response, per connection and (`maxWaiting`) in total */
  maxPipelined: number
  maxWaiting: number
  /** maximum size in bytes of all responses that clients have not read yet; a shared buffer is counted once */
  maxUnsentBytes: number
  /** while `maxUnsentBytes` is exceeded: time in ms after which connections with an unread response are destroyed */
  dawdleMs: number
  /** time in ms for a client to read an error response before its connection is destroyed */
  lastWordsMs: number
  maxConnections: number
  /** time in ms for a client to send its headers (Slowloris attack), and interval of the check */
  headersTimeout: number
  connectionsCheckingInterval: number
  /** maximum number of concurrent requests among those that come in crowds; the others wait in the order of arrival */
  maxOfCrowd: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  stillMs: 30_000,
  maxPipelined: 100,
  maxWaiting: 2_000,
  maxUnsentBytes: 64 * 1024 * 1024,
  dawdleMs: 5_000,
  lastWordsMs: 1_000,
  maxConnections: 12_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxOfCrowd: 512,
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>
type Turn = { incoming: IncomingMessage; outgoing: ServerResponse }
/** Whether a request is one of those that thousands of people send within a second. */
export type IsOfCrowd = (request: { method?: string; url?: string }) => boolean
/** Pipelined requests of one connection. */
type Line = { waiting: Turn[]; current: Turn | null }

/**
 * Processes the requests of a connection sequentially. Each request starts only after the previous response has been
 * flushed, so that a client that sends requests without reading responses occupies memory for a single response. If the
 * responses not yet read exceed `maxUnsentBytes`, connections that have read nothing for a few seconds are destroyed;
 * if that is not enough, further requests are rejected with 503.
 */
export function serializeRequests(
  listener: Listener,
  limits: ConnectionLimits,
  isOfCrowd: IsOfCrowd = () => false,
): { listener: RequestListener; ServerResponse: typeof ServerResponse; isMakingAnswer(socket: Socket): boolean } {
  const lines = new WeakMap<Socket, Line>()
  const unsent = createUnsent(limits)
  const crowd = createCrowd(limits)
  let waitingInAll = 0

  const lineOf = (socket: Socket): Line => {
    const cached = lines.get(socket)
    if (cached) return cached
    const line: Line = { waiting: [], current: null }
    lines.set(socket, line)
    socket.once('close', () => {
      waitingInAll -= line.waiting.length
      line.waiting = []
    })
    return line
  }

  const answer = (turn: Turn, line: Line) => {
    const { incoming, outgoing } = turn
    line.current = turn
    outgoing.once('close', () => {
      // The request is released here, because a keep-alive connection may stay open for a long time.
      line.current = null
      const next = line.waiting.shift()
      if (next === undefined) return
      waitingInAll -= 1
      if (!incoming.socket.destroyed) answer(next, line)
    })
    const start = () => (unsent.makeRoom() ? void listener(incoming, outgoing) : refuse(outgoing))
    if (isOfCrowd(incoming)) crowd.enter(turn, start)
    else start()
  }

  const take: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming
    const line = lineOf(socket)
    if (!line.current) return answer({ incoming, outgoing }, line)
    // Requests parsed from the same chunk are emitted even after the socket was destroyed. They are ignored.
    if (socket.destroyed) return
    if (line.waiting.length >= limits.maxPipelined || waitingInAll >= limits.maxWaiting) return void socket.destroy()
    line.waiting.push({ incoming, outgoing })
    waitingInAll += 1
  }
  const isMakingAnswer = (socket: Socket) => {
    const { incoming, outgoing } = lines.get(socket)?.current ?? {}
    return incoming?.complete === true && outgoing?.writableEnded === false
  }
  return { listener: take, ServerResponse: unsent.WatchedResponse, isMakingAnswer }
}

/**
 * Starts the requests of a crowd in the order of their arrival, a limited number at once: one that waits here takes a
 * third of the memory of one that waits for the database. A request whose body has not arrived when its turn comes does
 * not count, so that clients that send nothing stop nobody.
 */
function createCrowd({ maxOfCrowd }: ConnectionLimits) {
  const waiting: { turn: Turn; start: () => void }[] = []
  let underWay = 0
  let isScheduled = false

  const startNext = () => {
    isScheduled = false
    while (underWay < maxOfCrowd) {
      const next = waiting.shift()
      if (next === undefined) return
      const { incoming, outgoing } = next.turn
      if (outgoing.destroyed) continue
      if (incoming.complete) {
        underWay += 1
        outgoing.once('close', () => {
          underWay -= 1
          startNext()
        })
      }
      next.start()
    }
  }
  return {
    enter(turn: Turn, start: () => void): void {
      waiting.push({ turn, start })
      // The body is usually in the same chunk as the headers, and is parsed after them.
      if (!isScheduled) setImmediate(startNext)
      isScheduled = true
    },
  }
}

/**
 * Response that its client has not read yet. `outgoing` is cleared when the response has been read, because deleted set
 * entries stay in the set's old hash tables until garbage collection.
 */
type Unread = { outgoing: ServerResponse | null; since: number }

/** Counts the bytes of responses that were written but not yet read by clients. */
function createUnsent({ maxUnsentBytes, dawdleMs }: ConnectionLimits) {
  const readers = new WeakMap<ArrayBufferLike, number>()
  /** oldest first */
  const answers = new Set<Unread>()
  let bytes = 0

  const add = (buffer: ArrayBufferLike) => {
    const before = readers.get(buffer) ?? 0
    readers.set(buffer, before + 1)
    if (before === 0) bytes += buffer.byteLength
  }
  const remove = (buffer: ArrayBufferLike) => {
    const left = (readers.get(buffer) ?? 1) - 1
    if (left > 0) return void readers.set(buffer, left)
    readers.delete(buffer)
    bytes -= buffer.byteLength
  }
  const note = (outgoing: ServerResponse, buffer: ArrayBufferLike) => {
    const unread: Unread = { outgoing, since: performance.now() }
    add(buffer)
    answers.add(unread)
    outgoing.once('close', () => {
      remove(buffer)
      answers.delete(unread)
      unread.outgoing = null
    })
  }

  /** Tracks the last chunk of each response, which is the whole body except for streams. */
  class WatchedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override end(...given: unknown[]): this {
      Reflect.apply(super.end, this, given)
      const [part] = given
      if (part instanceof Uint8Array && !this.writableFinished && !this.destroyed) note(this, part.buffer)
      return this
    }
  }

  return {
    WatchedResponse,
    /** Destroys stalled connections if necessary. @returns whether the limit allows another response */
    makeRoom(): boolean {
      for (const { outgoing, since } of answers) {
        if (bytes <= maxUnsentBytes || performance.now() - since < dawdleMs) break
        outgoing?.destroy()
      }
      return bytes <= maxUnsentBytes
    },
  }
}

const failed = (code: string, message = '') => JSON.stringify({ status: 'Failed', code, message })

function refuse(outgoing: ServerResponse): void {
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '2', Connection: 'close' }
  outgoing.writeHead(503, headers).end(failed(failureCodeOf('http.unavailable'), STATUS_CODES[503]))
}

const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Limits a server's number of connections and their idle time. */
export function limitConnections(
  server: Server,
  { stillMs, lastWordsMs, maxConnections }: ConnectionLimits,
  isMakingAnswer: (socket: Socket) => boolean,
): void {
  server.timeout = stillMs
  // The client is waiting for the response, so the connection is not idle.
  server.on('timeout', (socket: Socket) => {
    if (isMakingAnswer(socket)) socket.setTimeout(stillMs)
    else socket.destroy()
  })
  let connections = 0
  server.on('connection', (socket: Socket) => {
    if (connections >= maxConnections) return void socket.destroy()
    connections += 1
    socket.once('close', () => {
      connections -= 1
    })
  })
  // Even requests that are not valid HTTP get an error response in the usual format.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const status = refusals[error.code ?? ''] ?? '400 Bad Request'
    const body = failed(failureCodeOf('http.malformed'), status.slice(4))
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    // A half-closed connection would stay open as long as the client does not close its side.
    setTimeout(() => socket.destroy(), lastWordsMs)
  })
}

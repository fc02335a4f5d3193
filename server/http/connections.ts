import { type IncomingMessage, type RequestListener, type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

export type ConnectionLimits = {
  /** until a connection is destroyed on which nothing comes or goes, in ms; between two requests the longer keep-alive counts */
  stillMs: number
  /** requests that may wait unanswered on one connection, and in all */
  maxPipelined: number
  maxWaiting: number
  /** bytes of answers that wait for their readers; a buffer that several wait for counts once */
  maxUnsentBytes: number
  /** beyond them, who has not read its answer for this long is cut off */
  dawdleMs: number
  /** what somebody has who is told off, to read it, in ms */
  lastWordsMs: number
  maxConnections: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  stillMs: 30_000,
  maxPipelined: 100,
  maxWaiting: 2_000,
  maxUnsentBytes: 64 * 1024 * 1024,
  dawdleMs: 5_000,
  lastWordsMs: 1_000,
  maxConnections: 12_000,
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>
type Turn = { incoming: IncomingMessage; outgoing: ServerResponse }
/** The requests of one connection. */
type Line = { waiting: Turn[]; current: Turn | null }

/**
 * Answers the requests of a connection one after the other: the next one is not looked at before the last answer is out, so
 * that who asks and never reads costs one answer. With too many bytes unread in all, those are cut off who have read nothing
 * for some seconds; if that is not enough, calls are refused with 503.
 */
export function oneByOne(
  listener: Listener,
  limits: ConnectionLimits,
): { listener: RequestListener; ServerResponse: typeof ServerResponse; isMakingAnswer(socket: Socket): boolean } {
  const lines = new WeakMap<Socket, Line>()
  const unsent = createUnsent(limits)
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
      // A connection may stay open for long: it keeps nothing of what it was answered.
      line.current = null
      const next = line.waiting.shift()
      if (next === undefined) return
      waitingInAll -= 1
      if (!incoming.socket.destroyed) answer(next, line)
    })
    if (!unsent.makeRoom()) return refuse(outgoing)
    void listener(incoming, outgoing)
  }

  const take: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming
    const line = lineOf(socket)
    if (!line.current) return answer({ incoming, outgoing }, line)
    // What was read in one piece still arrives after its connection is gone.
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

/** Emptied once it is read: what was taken out of a set stays in its former tables until those are cleared up. See docs/decisions/0025. */
type Unread = { outgoing: ServerResponse | null; since: number }

/** Counts what has been answered and not been read. */
function createUnsent({ maxUnsentBytes, dawdleMs }: ConnectionLimits) {
  const readers = new WeakMap<ArrayBufferLike, number>()
  /** The oldest first. */
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

  /** Watches what is written as the last part of an answer, which is all of it except for streams. A class: see docs/decisions/0025. */
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
    /** @returns whether there is room for another answer */
    makeRoom(): boolean {
      for (const { outgoing, since } of answers) {
        if (bytes <= maxUnsentBytes || performance.now() - since < dawdleMs) break
        outgoing?.destroy()
      }
      return bytes <= maxUnsentBytes
    },
  }
}

const failed = (message = '') => JSON.stringify({ status: 'Failed', message })

function refuse(outgoing: ServerResponse): void {
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '2', Connection: 'close' }
  outgoing.writeHead(503, headers).end(failed(STATUS_CODES[503]))
}

const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Bounds the connections of a server: how many, and for how long nothing may happen on one. */
export function limitConnections(
  server: Server,
  { stillMs, lastWordsMs, maxConnections }: ConnectionLimits,
  isMakingAnswer: (socket: Socket) => boolean,
): void {
  server.timeout = stillMs
  // A caller who waits for us is not the one who is still.
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
  // What is not even HTTP gets the same kind of answer as everything else.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const status = refusals[error.code ?? ''] ?? '400 Bad Request'
    const body = failed(status.slice(4))
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    // Ended is not gone: the other side may keep its half open for ever.
    setTimeout(() => socket.destroy(), lastWordsMs)
  })
}

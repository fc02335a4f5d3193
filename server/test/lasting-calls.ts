import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import pino from 'pino'
import { encodeJson } from '#server/http/encoded-json.ts'
import { findPort, listen } from '#server/http/listen.ts'

/**
 * node --expose-gc lasting-calls.ts text|bytes: answers calls over kept connections, and prints how many bytes of them V8 takes for
 * lasting. A process of its own: what else one has loaded and left would count, too.
 */
const host = '127.0.0.1'
const BODY_BYTES = 2_000

/** What V8 takes for lasting: clearing that up is dear. */
const lastingBytes = () =>
  getHeapSpaceStatistics().find(space => space.space_name === 'old_space')?.space_used_size ?? 0

const list = encodeJson(JSON.stringify('x'.repeat(BODY_BYTES)), 'everybody')
const direct = {
  calls: new Map([
    [
      'PUT /text',
      async () => {
        await sleep(2)
        return 'x'.repeat(BODY_BYTES)
      },
    ],
  ]),
  reads: new Map([
    [
      '/bytes',
      {
        route: '/bytes',
        find: async () => {
          await sleep(2)
          return list.ready({ acceptEncoding: null, ifNoneMatch: null })
        },
      },
    ],
  ]),
  findFile: null,
  headersAt: () => [],
  isSecure: false,
  log: pino({ level: 'silent' }),
  isCounted: false,
}
const REQUESTS = {
  text: 'PUT /text HTTP/1.1\r\nHost: x\r\nSessionToken: t\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  bytes: 'GET /bytes HTTP/1.1\r\nHost: x\r\n\r\n',
}

/** A person with a connection of their own. @returns asks so many times, one after the other */
async function openCaller(port: number, request: string) {
  const socket = connect(port, host)
  await once(socket, 'connect')
  return async (times: number): Promise<void> => {
    for (let asked = 0; asked < times; asked += 1) {
      socket.write(request)
      for (let read = 0; read < BODY_BYTES; ) {
        const [part] = await once(socket, 'data')
        read += part.length
      }
    }
  }
}

const port = await findPort(host, 0)
await listen({ fetch: () => new Response() }, host, port, {}, direct)
const request = process.argv[2] === 'text' ? REQUESTS.text : REQUESTS.bytes
const callers = await Promise.all(Array.from({ length: 32 }, () => openCaller(port, request)))
await Promise.all(callers.map(ask => ask(20)))
let isDone = false
const calling = Promise.all(callers.map(ask => ask(60))).finally(() => {
  isDone = true
})
await sleep(10)
// In the middle of calls: those under way are taken for lasting from here on.
globalThis.gc?.({ type: 'major' })
const before = lastingBytes()
while (!isDone) {
  await sleep(7)
  globalThis.gc?.({ type: 'minor' })
}
await calling
console.log(lastingBytes() - before)
process.exit()

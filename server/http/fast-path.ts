import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Language } from '#contract/values.ts'
import { observeCall } from '#server/metrics/registry.ts'
import { languageOf } from '#server/texts/translate.ts'
import { isTraced, trace } from '#server/traces/trace.ts'
import { cachingWithCookie, newXsrfCookie } from './cross-site.ts'
import { encodeJson, isShort, NO_STORE } from './encoded-json.ts'
import { fromLatin1Text } from './latin1-text.ts'
import { refusalOf } from './on-error.ts'
import type { PrebuiltResponse, Preconditions } from './prebuilt-response.ts'
import { parseJson } from './read-body.ts'
import { REQUEST_ID, requestIdOf } from './request-id.ts'
import { withoutUnknownParts } from './request-log.ts'
import type { Headed } from './security-headers.ts'
import type { FindFile } from './static-files.ts'

/** Request reduced to session token, language and body. */
export type FastPathCall = { token: string; language: Language; readBody: () => unknown }

/**
 * Handlers of the endpoints with the highest peak load, by method and path. @returns the JSON response, encoded by
 * byteTextOf @throws as regular handlers do
 */
export type FastPathCalls = Map<string, (call: FastPathCall) => Promise<string>>

/** Public cached resources, by URL with query. @throws as regular handlers do */
export type FastPathReads = Map<string, { route: string; find: (wanted: Preconditions) => Promise<PrebuiltResponse> }>

export type FastPathRoutes = {
  calls: FastPathCalls
  reads: FastPathReads
  /** of the app; null if the app is not served */
  findFile: FindFile | null
  /** common response headers of a path */
  headersAt: (path: string) => Headed
  /** whether clients reach the portal over https */
  isSecure: boolean
  log: Logger
  isCounted: boolean
}
type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>

/** Alternating header names and values, as written to the socket. */
type Flat = readonly string[]
/** String bodies are Latin-1: one byte per character. */
type Answer = { status: number; headers: Flat; body: string | Uint8Array | null }
/** Path and route as used in log and metrics. */
type Known = { path: string; route: string }

const MAX_BODY_BYTES = 4_096
const MAX_TOKEN_LENGTH = 200
const PLAIN_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/i
/** Paths without any character that could be interpreted in two ways. */
const PLAIN_PATH = /^\/(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/
const MAX_PATH_LENGTH = 200
const MAX_LANGUAGES = 200

/**
 * Fast path for hot endpoints and files, with the same responses as `app` but without its per-request objects. All
 * other requests are passed to `app`. See docs/decisions/0025.
 */
export function createFastPath(direct: FastPathRoutes, app: Listener): Listener {
  const { calls, reads, findFile, log, isCounted } = direct
  const common = direct.headersAt('/api')
  const ofCalls = flat([...common, ...Object.entries({ ...NO_STORE, 'Content-Type': 'application/json' })])
  const languages = new Map<string | undefined, Language>()
  const languageFor = (header: string | undefined): Language => {
    const cached = languages.get(header)
    if (cached !== undefined) return cached
    const language = languageOf(header)
    if (languages.size < MAX_LANGUAGES) languages.set(header, language)
    return language
  }

  const makeCalled = async (
    incoming: IncomingMessage,
    call: (call: FastPathCall) => Promise<string>,
  ): Promise<Answer> => {
    const { headers: sent } = incoming
    const language = languageFor(sent['accept-language'])
    const asked = await readBytes(incoming)
    const body = await call({ token: String(sent.sessiontoken), language, readBody: () => parseJson(asked) })
    const { length } = body
    if (isShort(length)) return { status: 200, headers: ofCalls.concat('Content-Length', String(length)), body }
    const ready = await encodeJson(fromLatin1Text(body), 'one person').ready({
      acceptEncoding: sent['accept-encoding'],
      ifNoneMatch: null,
    })
    return { status: 200, headers: flat([...common, ...Object.entries(ready.headers)]), body: ready.bytes }
  }

  /** Encoded headers of prebuilt responses. */
  const headersOfReady = new WeakMap<PrebuiltResponse['headers'], Flat>()
  const makeReady = (
    path: string,
    cookies: string | undefined,
    { status, headers, bytes }: PrebuiltResponse,
  ): Answer => {
    const cookie = newXsrfCookie(path, cookies, direct.isSecure)
    const own = cookie === null ? headers : withCookie(headers, cookie)
    const known = headersOfReady.get(own)
    if (known) return { status, headers: known, body: bytes }
    const names = new Set(Object.keys(own).map(name => name.toLowerCase()))
    const others = direct.headersAt(path).filter(([name]) => !names.has(name.toLowerCase()))
    const whole = flat([...others, ...Object.entries(own)])
    headersOfReady.set(own, whole)
    return { status, headers: whole, body: bytes }
  }

  const respond = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { path, route }: Known,
    make: () => Promise<Answer | null>,
    id: string,
  ): Promise<void> => {
    const startedAt = performance.now()
    const { method, headers: sent } = incoming
    try {
      const made = await make()
      if (made === null) return void (await app(incoming, outgoing))
      outgoing.writeHead(made.status, made.headers.concat(REQUEST_ID, id)).end(made.body, 'latin1')
    } catch (fault) {
      const error = fault instanceof Error ? fault : new Error(String(fault))
      const refusal = refusalOf(error, { language: languageFor(sent['accept-language']), id }, () =>
        log.error({ err: error, id, method, path }, 'request failed'),
      )
      const json = JSON.stringify(refusal.body)
      const length = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(json)) }
      const headers = { ...Object.fromEntries(common), ...refusal.headers, ...length, [REQUEST_ID]: id }
      outgoing.writeHead(refusal.status, headers).end(json)
    }
    const ms = performance.now() - startedAt
    if (isCounted) observeCall({ method: `${method}`, route, status: outgoing.statusCode }, ms)
    if (log.isLevelEnabled('info'))
      log.info({ id, method, path, status: outgoing.statusCode, ms: Math.round(ms) }, 'request')
  }

  const answer = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    known: Known,
    make: () => Promise<Answer | null>,
  ): Promise<void> => {
    const id = requestIdOf(incoming.headers['x-request-id'])
    if (!isTraced()) return respond(incoming, outgoing, known, make, id)
    const [method, { route }] = [`${incoming.method}`, known]
    const facts = { 'http.request.method': method, 'http.route': route, 'portal.request_id': id }
    return trace('request', `${method} ${route}`, facts, async note => {
      await respond(incoming, outgoing, known, make, id)
      note({ 'http.response.status_code': outgoing.statusCode })
    })
  }

  const read = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = '', headers: sent } = incoming
    const wanted = { acceptEncoding: sent['accept-encoding'], ifNoneMatch: sent['if-none-match'] }
    const known = reads.get(url)
    if (known) {
      const make = async () => makeReady(known.route, sent.cookie, await known.find(wanted))
      return answer(incoming, outgoing, { path: known.route, route: known.route }, make)
    }
    if (!findFile || !isFileLike(url)) return app(incoming, outgoing)
    const make = async () => {
      const ready = await findFile(url, false, wanted)
      return ready && makeReady(url, sent.cookie, ready)
    }
    return answer(incoming, outgoing, { path: withoutUnknownParts(url), route: 'other' }, make)
  }

  return (incoming, outgoing) => {
    if (incoming.method === 'GET') return isPlainRead(incoming) ? read(incoming, outgoing) : app(incoming, outgoing)
    const call = calls.get(`${incoming.method} ${incoming.url}`)
    if (!call || !isPlainCall(incoming)) return app(incoming, outgoing)
    const path = `${incoming.url}`
    return answer(incoming, outgoing, { path, route: path }, () => makeCalled(incoming, call))
  }
}

const flat = (headers: Headed): Flat => headers.flat()

const withCookie = (headers: PrebuiltResponse['headers'], cookie: string): PrebuiltResponse['headers'] => {
  const caching = headers['Cache-Control']
  return { ...headers, ...(caching && { 'Cache-Control': cachingWithCookie(caching) }), 'Set-Cookie': cookie }
}

/** Paths of the app's files and pages; excludes the API and content files. */
const isFileLike = (url: string): boolean =>
  url.length <= MAX_PATH_LENGTH &&
  PLAIN_PATH.test(url) &&
  !/^\/(?:api|content|photos|thumbnails|embed)(?:\/|$)/i.test(url)

/** Exactly one Host header, in an HTTP version that requires it. */
function isPlain({ headers: { host = '', expect }, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (httpVersionMinor !== 1 || expect || !PLAIN_HOST.test(host)) return false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/** Read request without a body. */
const isPlainRead = (incoming: IncomingMessage): boolean =>
  !incoming.headers['content-length'] && !incoming.headers['transfer-encoding'] && isPlain(incoming)

/** Request as sent by the portal's own app: with a session token and a short body with Content-Length. */
function isPlainCall(incoming: IncomingMessage): boolean {
  const { headers } = incoming
  const { sessiontoken = '', 'content-length': length = '' } = headers
  if (headers['transfer-encoding'] || headers['content-encoding']) return false
  if (headers['content-type'] !== 'application/json') return false
  if (!/^\d{1,5}$/.test(length) || Number(length) > MAX_BODY_BYTES) return false
  return sessiontoken !== '' && sessiontoken.length <= MAX_TOKEN_LENGTH && isPlain(incoming)
}

/** Never settles if the client aborts: no response is needed then. */
const readBytes = (incoming: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer | null = null
    incoming.on('data', (part: Buffer) => {
      bytes = bytes ? Buffer.concat([bytes, part]) : part
    })
    incoming.on('end', () => resolve(bytes ?? Buffer.alloc(0)))
    incoming.on('error', reject)
  })

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Language } from '#contract/values.ts'
import { observeCall } from '#server/metrics/registry.ts'
import { languageOf } from '#server/texts/translate.ts'
import { encodeJson, isShort, NOT_KEPT } from './encoded-json.ts'
import { refusalOf } from './on-error.ts'
import { parseJson } from './read-body.ts'
import { REQUEST_ID, requestIdOf } from './request-id.ts'

/** A call of which nothing matters but who calls, in which language, and what with. */
export type DirectCall = { token: string; language: Language; readBody: () => unknown }

/** Calls that thousands make at the same moment, by method and path. @returns the answer as JSON @throws as handlers do */
export type DirectCalls = Map<string, (call: DirectCall) => Promise<string>>

export type DirectAnswers = {
  calls: DirectCalls
  /** of every answer of the interface */
  headers: readonly [string, string][]
  log: Logger
  isCounted: boolean
}
type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>

const MAX_BODY_BYTES = 4_096
const MAX_TOKEN_LENGTH = 200
const PLAIN_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/i
const MAX_LANGUAGES = 200

/**
 * Answers calls as the app would, without what the app makes for each of them: a request, an answer and a list of headers of the
 * web's kind. Whatever is unusual about a call is left to the app.
 * See docs/decisions/0090.
 * @param app answers everything else
 */
export function answerDirectly({ calls, headers, log, isCounted }: DirectAnswers, app: Listener): Listener {
  const common = [...headers, ...Object.entries({ ...NOT_KEPT, 'Content-Type': 'application/json' })].flat()
  const languages = new Map<string | undefined, Language>()
  const languageFor = (header: string | undefined): Language => {
    const cached = languages.get(header)
    if (cached !== undefined) return cached
    const language = languageOf(header)
    if (languages.size < MAX_LANGUAGES) languages.set(header, language)
    return language
  }

  const send = async (outgoing: ServerResponse, json: string, acceptEncoding: string): Promise<void> => {
    const length = Buffer.byteLength(json)
    if (isShort(length)) return void outgoing.writeHead(200, [...common, 'Content-Length', String(length)]).end(json)
    const { encoding, bytes } = await encodeJson(json, 'one person').encode(acceptEncoding)
    const own = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    outgoing.writeHead(200, [...common, 'Content-Length', String(bytes.length), ...own]).end(bytes)
  }

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    call: (call: DirectCall) => Promise<string>,
  ): Promise<void> => {
    const startedAt = performance.now()
    const { method, url: path, headers: sent } = incoming
    const language = languageFor(sent['accept-language'])
    const token = String(sent.sessiontoken)
    const id = requestIdOf(sent['x-request-id'])
    outgoing.setHeader(REQUEST_ID, id)
    try {
      const bytes = await bytesOf(incoming)
      const json = await call({ token, language, readBody: () => parseJson(bytes) })
      await send(outgoing, json, `${sent['accept-encoding'] ?? ''}`)
    } catch (fault) {
      const error = fault instanceof Error ? fault : new Error(String(fault))
      const refusal = refusalOf(error, { language, id }, () =>
        log.error({ err: error, id, method, path }, 'request failed'),
      )
      for (const [name, value] of [...headers, ...Object.entries(refusal.headers)]) outgoing.setHeader(name, value)
      const json = JSON.stringify(refusal.body)
      outgoing.setHeader('Content-Type', 'application/json')
      outgoing.setHeader('Content-Length', Buffer.byteLength(json))
      outgoing.writeHead(refusal.status).end(json)
    }
    const ms = performance.now() - startedAt
    if (isCounted) observeCall({ method: `${method}`, route: `${path}`, status: outgoing.statusCode }, ms)
    if (log.isLevelEnabled('info'))
      log.info({ id, method, path, status: outgoing.statusCode, ms: Math.round(ms) }, 'request')
  }

  return (incoming, outgoing) => {
    const call = calls.get(`${incoming.method} ${incoming.url}`)
    return call && isPlain(incoming) ? answer(incoming, outgoing, call) : app(incoming, outgoing)
  }
}

/** As the portal's own app sends it: one host, a token, a short body that says how long it is. */
function isPlain({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  const { host = '', sessiontoken = '', 'content-length': length = '' } = headers
  if (httpVersionMinor !== 1 || headers['transfer-encoding'] || headers['content-encoding'] || headers.expect)
    return false
  if (headers['content-type'] !== 'application/json' || !PLAIN_HOST.test(host)) return false
  if (!/^\d{1,5}$/.test(length) || Number(length) > MAX_BODY_BYTES) return false
  if (sessiontoken === '' || sessiontoken.length > MAX_TOKEN_LENGTH) return false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/** Of a caller who goes away in the middle nothing comes any more, and nobody waits. */
const bytesOf = (incoming: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer | null = null
    incoming.on('data', (part: Buffer) => {
      bytes = bytes ? Buffer.concat([bytes, part]) : part
    })
    incoming.once('end', () => resolve(bytes ?? Buffer.alloc(0)))
    incoming.once('error', reject)
  })

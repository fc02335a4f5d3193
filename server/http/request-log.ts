import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { ALL_PATHS } from '#contract/office-pages.ts'
import { trace } from '#server/traces/trace.ts'

const REQUEST_ID = 'X-Request-Id'
const MAX_LENGTH = 64

const giveId = requestId({ headerName: REQUEST_ID, limitLength: MAX_LENGTH, generator: () => randomUUID() })

/** Assigns a request id, or adopts that of a proxy, to correlate log lines with the response. */
export const assignRequestId: MiddlewareHandler = (c, next) =>
  giveId(c, () => {
    // The header is also set on the socket's response, because a response written directly to it contains only headers
    // set there before.
    const outgoing: ServerResponse | undefined = c.env?.outgoing
    if (outgoing && /^\/api(?:\/|$)/i.test(c.req.path)) outgoing.setHeader(REQUEST_ID, idOfCall(c))
    return next()
  })

export const idOfCall = (c: Context): string => (c as Context<{ Variables: RequestIdVariables }>).get('requestId')

/** Starts a trace span per request, named by route pattern, because a path may contain a name or secret. */
export const traceCalls: MiddlewareHandler = (c, next) => {
  const { method } = c.req
  return trace(
    'request',
    method,
    { 'http.request.method': method },
    async note => {
      await next()
      const pattern = routePath(c)
      const route = pattern.includes('*') ? 'other' : pattern
      const facts = {
        'http.route': route,
        'http.response.status_code': c.res.status,
        'portal.request_id': idOfCall(c) ?? '',
      }
      note(facts, `${method} ${route}`)
    },
    c.req.header('traceparent'),
  )
}

/** Path segments of the portal's routes; any other segment may be a name or a secret. */
const OWN_WORDS = new Set([
  ...ALL_PATHS.flatMap(path => path.split('/').filter(part => !part.startsWith(':'))),
  'api',
  'assets',
  'content',
  'photos',
  'thumbnails',
  'icons',
  'logos',
  'team',
  '.well-known',
])
/** Matches ids and file names of the app, which may be logged. */
const HARMLESS_PART = /^(?:\d{1,9}|[\w.-]+\.(?:js|css|html|txt|xml|json|webmanifest|svg|png|ico|woff2?))$/

/** Masks path segments that are neither known, nor an id, nor a file of the app. */
export const maskUnknownSegments = (path: string): string =>
  path
    .split('/')
    .map(part => (OWN_WORDS.has(part) || HARMLESS_PART.test(part) ? part : '…'))
    .join('/')

/**
 * Path for the log: parameters other than ids are masked, because they contain e-mail addresses and tokens, and the
 * query is dropped.
 */
export function loggablePath(c: Context): string {
  const pattern = routePath(c)
  if (!pattern.includes('*')) {
    return pattern.replace(/:(\w+)/g, (name, key) =>
      /^\d+$/.test(c.req.param(key) ?? '') ? `${c.req.param(key)}` : name,
    )
  }
  return maskUnknownSegments(c.req.path).slice(0, 200)
}

/** Logs one line per request, without client address, query and headers. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    if (!log.isLevelEnabled('info')) return next()
    const startedAt = performance.now()
    await next()
    const ms = Math.round(performance.now() - startedAt)
    const id = idOfCall(c)
    // File responses bring their own headers, so the request id is added to them.
    if (id) c.res.headers.set(REQUEST_ID, id)
    log.info({ id, method: c.req.method, path: loggablePath(c), status: c.res.status, ms }, 'request')
  }
}

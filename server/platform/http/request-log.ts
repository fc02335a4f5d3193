import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { ALL_PAGE_PATHS } from '#contract/office/pages.ts'
import { trace } from '#server/platform/observability/trace.ts'

const REQUEST_ID = 'X-Request-Id'
/** Ids of nginx, HAProxy, Caddy and AWS, which are neither addresses of people nor markup. */
const PROXY_ID = /^[\w\-=:./+]{1,255}$/

const giveId = requestId({
  headerName: REQUEST_ID,
  // Hono rejects ids with other characters, as in HAProxy's format, and calls the generator.
  generator: c => {
    const given = c.req.header(REQUEST_ID) ?? ''
    return PROXY_ID.test(given) ? given : randomUUID()
  },
})

/** Assigns a request id or adopts the one from a proxy, so that log lines can be correlated with the response. */
export const assignRequestId: MiddlewareHandler = (c, next) =>
  giveId(c, () => {
    // The header is also set on Node's response object, because responses that are written directly to it contain only
    // the headers set there before.
    const outgoing: ServerResponse | undefined = c.env?.outgoing
    if (outgoing && /^\/api(?:\/|$)/i.test(c.req.path)) outgoing.setHeader(REQUEST_ID, requestIdOf(c))
    return next()
  })

export const requestIdOf = (c: Context): string => (c as Context<{ Variables: RequestIdVariables }>).get('requestId')

/**
 * Starts a trace span for each request. It is named after the route pattern, because the path may contain a name or a
 * secret.
 */
export const traceRequests: MiddlewareHandler = (c, next) => {
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
        'portal.request_id': requestIdOf(c) ?? '',
      }
      note(facts, `${method} ${route}`)
    },
    c.req.header('traceparent'),
  )
}

/** Path segments that occur in the portal's routes. Any other segment may be a name or a secret. */
const OWN_WORDS = new Set([
  ...ALL_PAGE_PATHS.flatMap(path => path.split('/').filter(part => !part.startsWith(':'))),
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
/** Matches path segments that are safe to log: ids, and file names with an extension that the app's files use. */
const HARMLESS_PART = /^(?:\d{1,9}|[\w.-]+\.(?:js|css|html|txt|xml|json|webmanifest|svg|png|ico|woff2?))$/

/** Masks all path segments except known ones, ids, and files of the app. */
export const maskUnknownSegments = (path: string): string =>
  path
    .split('/')
    .map(part => (OWN_WORDS.has(part) || HARMLESS_PART.test(part) ? part : '…'))
    .join('/')

/**
 * Path for the log, without the query. Parameters other than ids are masked, because they may contain e-mail addresses
 * or tokens.
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

/** Logs one line per request, without the client's IP address, the query and the headers. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    if (!log.isLevelEnabled('info')) return next()
    const startedAt = performance.now()
    await next()
    const ms = Math.round(performance.now() - startedAt)
    const id = requestIdOf(c)
    // File responses have their own headers, so the request id is added here.
    if (id) c.res.headers.set(REQUEST_ID, id)
    log.info({ id, method: c.req.method, path: loggablePath(c), status: c.res.status, ms }, 'request')
  }
}

import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'

/** A word of our own addresses, an id or a file's name; a token is longer, an e-mail address has an @. */
const HARMLESS_PART = /^(?:[\w-]{0,24}|[\w-]+(?:\.\w{2,11})+)$/

/**
 * The path as it may be logged: parameters other than ids are left out, since they hold e-mail addresses (`resendemail/…`) and
 * tokens (`activate/…`). The query string never is part of it. To be asked once a handler has answered or thrown.
 */
export function loggablePath(c: Context): string {
  const pattern = routePath(c)
  if (!pattern.includes('*')) {
    return pattern.replace(/:(\w+)/g, (name, key) =>
      /^\d+$/.test(c.req.param(key) ?? '') ? `${c.req.param(key)}` : name,
    )
  }
  const parts = c.req.path.split('/').map(part => (HARMLESS_PART.test(part) ? part : '…'))
  return parts.join('/').slice(0, 200)
}

/** One line per answered request: no address of the caller, no query, no header. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const ms = Math.round(performance.now() - startedAt)
    log.info({ method: c.req.method, path: loggablePath(c), status: c.res.status, ms }, 'request')
  }
}

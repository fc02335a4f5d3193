import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { trace } from '#server/traces/trace.ts'
import { idOfCall } from './request-id.ts'

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

import type { ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'

/**
 * Sets the Server-Time header (ms since 1970) of API responses, from which the app estimates the server's clock. The Date
 * header has whole seconds only.
 */
export const sendServerTime: MiddlewareHandler = (c, next) => {
  // On Node's response object, because responses that are written directly to it contain only the headers set there.
  const outgoing: ServerResponse | undefined = c.env?.outgoing
  if (outgoing && /^\/api(?:\/|$)/i.test(c.req.path)) outgoing.setHeader('Server-Time', Date.now())
  return next()
}

import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'

export const REQUEST_ID = 'X-Request-Id'
const MAX_LENGTH = 64

const giveId = requestId({ headerName: REQUEST_ID, limitLength: MAX_LENGTH, generator: () => randomUUID() })

/** Assigns a request id, or takes it over from a proxy, to correlate log lines with the response. */
export const takeRequestId: MiddlewareHandler = (c, next) =>
  giveId(c, () => {
    // A response written directly to the socket contains only headers set there before.
    const outgoing: ServerResponse | undefined = c.env?.outgoing
    if (outgoing && /^\/api(?:\/|$)/i.test(c.req.path)) outgoing.setHeader(REQUEST_ID, idOfCall(c))
    return next()
  })

export const idOfCall = (c: Context): string => (c as Context<{ Variables: RequestIdVariables }>).get('requestId')

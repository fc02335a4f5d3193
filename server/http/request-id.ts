import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { type RequestIdVariables, requestId } from 'hono/request-id'

export const REQUEST_ID = 'X-Request-Id'
const MAX_LENGTH = 64
const WELL_FORMED = new RegExp(`^[\\w=-]{1,${MAX_LENGTH}}$`)

const giveId = requestId({ headerName: REQUEST_ID, limitLength: MAX_LENGTH, generator: () => randomUUID() })

/** Gives each call an id, or keeps the one that a proxy has given it, by which its lines in the log and its answer are found. */
export const takeRequestId: MiddlewareHandler = (c, next) =>
  giveId(c, () => {
    // An answer that a handler makes by itself has only the headers that the socket had before.
    const outgoing: ServerResponse | undefined = c.env?.outgoing
    if (outgoing && /^\/api(?:\/|$)/i.test(c.req.path)) outgoing.setHeader(REQUEST_ID, idOfCall(c))
    return next()
  })

/** The same for what the app does not see. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()

export const idOfCall = (c: Context): string => (c as Context<{ Variables: RequestIdVariables }>).get('requestId')

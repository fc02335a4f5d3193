import type { Context } from 'hono'
import type { Logger } from 'pino'
import { isUnavailable } from '#server/db/client.ts'
import { codeOf } from '#server/texts/failure-codes.ts'
import { languageOf, translate } from '#server/texts/translate.ts'
import { challengeOf } from './bearer.ts'
import { BearerProblem, HttpProblem, PasskeyRequired } from './problems.ts'
import { idOfCall } from './request-id.ts'
import { loggablePath } from './request-log.ts'

/** Retry-After: most causes of unavailability are resolved within this time. */
const AWAY_S = 2

type Refusal = {
  status: HttpProblem['status'] | 500
  key: string
  values?: HttpProblem['values']
  headers?: Record<string, string>
}

/** Status, text and headers of an error response. @param id request id, by which users report an unexpected error */
function refusalOf(error: Error, id: string): Refusal {
  if (error instanceof HttpProblem) {
    const { status, key, values } = error
    const headers = {
      // The rest of the body stays unread, so the connection cannot be reused.
      ...(status === 413 && { Connection: 'close' }),
      ...(error instanceof BearerProblem && challengeOf(error)),
      ...(status === 429 && { 'Retry-After': String(values.seconds ?? 60) }),
      ...(status === 503 && { 'Retry-After': String(values.seconds ?? AWAY_S) }),
    }
    return { status, key, values, headers }
  }
  return isUnavailable(error)
    ? { status: 503, key: 'http.unavailable', headers: { 'Retry-After': String(AWAY_S) } }
    : { status: 500, key: 'http.fault', values: { id } }
}

/** Converts any error thrown by a handler to `{status: "Failed", code, message}`. See docs/decisions/0012. */
export const onError =
  (log: Logger) =>
  (error: Error, c: Context): Response => {
    const id = idOfCall(c)
    if (!(error instanceof HttpProblem))
      log.error({ err: error, id, method: c.req.method, path: loggablePath(c) }, 'request failed')
    const { status, key, values = {}, headers = {} } = refusalOf(error, id)
    const body = {
      status: error instanceof PasskeyRequired ? 'PasskeyRequired' : 'Failed',
      message: translate(languageOf(c.req.header('Accept-Language')), key, values),
      code: codeOf(key),
    }
    return c.json(body, status, { ...headers, 'Cache-Control': 'no-store' })
  }

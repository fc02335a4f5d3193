import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Language } from '#contract/values.ts'
import { isUnavailable } from '#server/db/client.ts'
import { languageOf, translate } from '#server/texts/translate.ts'
import { challengeOf } from './bearer.ts'
import { BearerProblem, HttpProblem, PasskeyRequired } from './problems.ts'
import { idOfCall } from './request-id.ts'
import { loggablePath } from './request-log.ts'

/** Retry-After: most causes of unavailability are resolved within this time. */
const AWAY_S = 2

type Refusal = {
  status: HttpProblem['status'] | 500
  headers: Record<string, string>
  body: { status: string; message: string; code?: string }
}

/**
 * Maps an error to a response. See docs/decisions/0012.
 * @param id of the request, given by the client to report an error @param logFault called for unexpected errors
 */
export function refusalOf(
  error: Error,
  { language, id }: { language: Language; id: string },
  logFault: () => void,
): Refusal {
  const refuse = (status: Refusal['status'], key: string, values = {}, headers = {}): Refusal => ({
    status,
    headers: { ...headers, 'Cache-Control': 'no-store' },
    body: {
      status: error instanceof PasskeyRequired ? 'PasskeyRequired' : 'Failed',
      message: translate(language, key, values),
      ...(error instanceof BearerProblem && { code: error.error }),
    },
  })
  if (error instanceof HttpProblem) {
    const { status, key, values } = error
    const headers = {
      // The rest of the body stays unread, so the connection cannot be reused.
      ...(status === 413 && { Connection: 'close' }),
      ...(error instanceof BearerProblem && challengeOf(error)),
      ...(status === 429 && { 'Retry-After': String(values.seconds ?? 60) }),
      ...(status === 503 && { 'Retry-After': String(values.seconds ?? AWAY_S) }),
    }
    return refuse(status, key, values, headers)
  }
  logFault()
  return isUnavailable(error)
    ? refuse(503, 'http.unavailable', {}, { 'Retry-After': String(AWAY_S) })
    : refuse(500, 'http.fault', { id })
}

/** Converts any error thrown by a handler to `{status: "Failed", message}`. */
export const onError =
  (log: Logger) =>
  (error: Error, c: Context): Response => {
    const id = idOfCall(c)
    const { status, headers, body } = refusalOf(
      error,
      { language: languageOf(c.req.header('Accept-Language')), id },
      () => log.error({ err: error, id, method: c.req.method, path: loggablePath(c) }, 'request failed'),
    )
    return c.json(body, status, headers)
  }

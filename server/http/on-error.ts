import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Language } from '#contract/values.ts'
import { isUnavailable } from '#server/db/client.ts'
import { languageOf, translate } from '#server/texts/translate.ts'
import { challengeOf } from './bearer.ts'
import { BearerProblem, HttpProblem, PasskeyRequired } from './problems.ts'
import { idOfCall } from './request-id.ts'
import { loggablePath } from './request-log.ts'

/** Most of what makes the portal unavailable is over by then. */
const AWAY_S = 2

type Refusal = {
  status: HttpProblem['status'] | 500
  headers: Record<string, string>
  body: { status: string; message: string; code?: string }
}

/**
 * What a fault is answered with. See docs/decisions/0012.
 * @param id of the call, named by who tells us @param logFault for what is no refusal
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
      // The rest of the body stays unread, so nothing else can come over this connection.
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

/** Turns whatever a handler threw into `{status: "Failed", message}`. */
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

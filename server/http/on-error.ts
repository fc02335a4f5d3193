import type { Context } from 'hono'
import type { Logger } from 'pino'
import { isUnavailable } from '#server/db/client.ts'
import { languageOf, translate } from '#server/texts/translate.ts'
import { HttpProblem, PasskeyRequired } from './problems.ts'
import { loggablePath } from './request-log.ts'

/** Most of what makes the portal unavailable is over by then. */
const AWAY_S = 2

/**
 * Turns whatever a handler threw into `{status: "Failed", message}`; nothing of a fault but its log line leaves the server.
 * See docs/decisions/0023.
 */
export function onError(log: Logger) {
  return (error: Error, c: Context): Response => {
    const language = languageOf(c.req.header('Accept-Language'))
    const answer = (status: HttpProblem['status'] | 500, key: string, values: Record<string, string | number> = {}) =>
      c.json(
        {
          status: error instanceof PasskeyRequired ? 'PasskeyRequired' : 'Failed',
          message: translate(language, key, values),
        },
        status,
        { 'Cache-Control': 'no-store' },
      )

    if (error instanceof HttpProblem) {
      // The rest of the body stays unread, so nothing else can come over this connection.
      if (error.status === 413) c.header('Connection', 'close')
      if (error.status === 429) c.header('Retry-After', String(error.values.seconds ?? 60))
      if (error.status === 503) c.header('Retry-After', String(error.values.seconds ?? AWAY_S))
      return answer(error.status, error.key, error.values)
    }
    log.error({ err: error, method: c.req.method, path: loggablePath(c) }, 'request failed')
    if (isUnavailable(error)) {
      c.header('Retry-After', String(AWAY_S))
      return answer(503, 'http.unavailable')
    }
    return answer(500, 'http.fault')
  }
}

import type { Context } from 'hono'
import type { Logger } from 'pino'
import { languageOf, translate } from '#server/texts/translate.ts'
import { HttpProblem } from './problems.ts'
import { loggablePath } from './request-log.ts'

/** PostgreSQL's error classes for a lost connection, too many connections and a database that is starting or stopping. */
const UNAVAILABLE = /^(?:08|53|57P)|^(?:ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** Turns whatever a handler threw into `{status: "Failed", message}`; nothing of a fault but its log line leaves the server. */
export function onError(log: Logger) {
  return (error: Error, c: Context): Response => {
    const language = languageOf(c.req.header('Accept-Language'))
    const answer = (status: HttpProblem['status'] | 500, key: string, values: Record<string, string | number> = {}) =>
      c.json({ status: 'Failed', message: translate(language, key, values) }, status, { 'Cache-Control': 'no-store' })

    if (error instanceof HttpProblem) {
      // The rest of the body stays unread, so nothing else can come over this connection.
      if (error.status === 413) c.header('Connection', 'close')
      if (error.status === 429) c.header('Retry-After', String(error.values.seconds ?? 60))
      return answer(error.status, error.key, error.values)
    }
    log.error({ err: error, method: c.req.method, path: loggablePath(c) }, 'request failed')
    if (
      UNAVAILABLE.test(codeOf(error)) ||
      /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message)
    ) {
      c.header('Retry-After', '2')
      return answer(503, 'http.unavailable')
    }
    return answer(500, 'http.fault')
  }
}

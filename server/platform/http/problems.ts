import type { Context } from 'hono'
import type { Logger } from 'pino'
import { isUnavailable } from '#server/platform/db/client.ts'
import { failureCodeOf } from '#server/platform/texts/failure-codes.ts'
import { negotiateLanguage, translate } from '#server/platform/texts/translate.ts'
import { loggablePath, requestIdOf } from './request-log.ts'

/**
 * Error of the API itself, as opposed to a failed domain operation. It is sent with this HTTP status as `{status:
 * "Failed", message}`, where the message is the text `key` in the client's language.
 */
export class HttpProblem extends Error {
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 429 | 503
  readonly key: string
  readonly values: Record<string, string | number>

  constructor(status: HttpProblem['status'], key: string, values: Record<string, string | number> = {}) {
    super(key)
    this.name = 'HttpProblem'
    this.status = status
    this.key = key
    this.values = values
  }
}

export const invalidField = (field: string) => new HttpProblem(400, 'http.invalidField', { field })
export const sessionInvalid = () => new HttpProblem(401, 'http.sessionInvalid')
export const forbidden = () => new HttpProblem(403, 'http.forbidden')
export const notFound = () => new HttpProblem(404, 'http.notFound')
/** The server is overloaded (503) through no fault of the client. */
export const serverBusy = (seconds: number) => new HttpProblem(503, 'http.busy', { seconds })
export const tooManyRequests = (seconds: number) => new HttpProblem(429, 'http.tooManyRequests', { seconds })
/** The office action cannot be performed with a service token, regardless of the token's scopes. */
export const tokenNotAllowed = () => new HttpProblem(403, 'http.notByToken')
/** Office requests require a session that was recently confirmed with a passkey. */
class PasskeyRequired extends HttpProblem {
  constructor() {
    super(403, 'http.passkeyRequired')
  }
}
export const passkeyRequired = () => new PasskeyRequired()

const BEARER_TEXTS = {
  missing: 'http.sessionInvalid',
  invalid_token: 'http.invalidToken',
  insufficient_scope: 'http.insufficientScope',
}

/**
 * The service token is missing or rejected (RFC 6750 §3).
 * @param scopes the endpoint requires one of these scopes; empty: it does not accept service tokens
 */
export class BearerProblem extends HttpProblem {
  readonly error: keyof typeof BEARER_TEXTS
  readonly scopes: readonly string[]

  constructor(error: BearerProblem['error'], scopes: readonly string[] = []) {
    super(error === 'insufficient_scope' ? 403 : 401, BEARER_TEXTS[error])
    this.error = error
    this.scopes = scopes
  }
}

/** `WWW-Authenticate` header for a rejected or missing service token (RFC 6750 §3). */
export const bearerChallengeOf = ({ error, scopes }: BearerProblem): { 'WWW-Authenticate': string } => ({
  'WWW-Authenticate': [
    'Bearer',
    // If the request contains no credentials, the response must not contain an error code.
    [error !== 'missing' && `error="${error}"`, scopes.length > 0 && `scope="${scopes.join(' ')}"`]
      .filter(Boolean)
      .join(', '),
  ]
    .filter(Boolean)
    .join(' '),
})

/** Value of Retry-After in seconds. Most causes of unavailability are resolved by then. */
const AWAY_S = 2

type Refusal = {
  status: HttpProblem['status'] | 500
  key: string
  values?: HttpProblem['values']
  headers?: Record<string, string>
}

/**
 * Status, text and headers of an error response.
 * @param id request id that users can quote when they report an unexpected error
 */
function refusalOf(error: Error, id: string): Refusal {
  if (error instanceof HttpProblem) {
    const { status, key, values } = error
    const headers = {
      // The connection cannot be reused, because the rest of the body was not read.
      ...((status === 413 || status === 408) && { Connection: 'close' }),
      ...(error instanceof BearerProblem && bearerChallengeOf(error)),
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
export const createErrorHandler =
  (log: Logger) =>
  (error: Error, c: Context): Response => {
    const id = requestIdOf(c)
    if (!(error instanceof HttpProblem))
      log.error({ err: error, id, method: c.req.method, path: loggablePath(c) }, 'request failed')
    const { status, key, values = {}, headers = {} } = refusalOf(error, id)
    const body = {
      status: error instanceof PasskeyRequired ? 'PasskeyRequired' : 'Failed',
      message: translate(negotiateLanguage(c.req.header('Accept-Language')), key, values),
      code: failureCodeOf(key),
    }
    return c.json(body, status, { ...headers, 'Cache-Control': 'no-store' })
  }

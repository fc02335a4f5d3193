/**
 * Error response of the API itself, as opposed to a domain outcome: `{status: "Failed", message}` with this HTTP
 * status. The message is the text `key` in the client's language.
 */
export class HttpProblem extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503
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
/** Server overload (503), not caused by the client. */
export const busy = (seconds: number) => new HttpProblem(503, 'http.busy', { seconds })
export const tooManyRequests = (seconds: number) => new HttpProblem(429, 'http.tooManyRequests', { seconds })
/** Acts that no service token performs, whatever its scopes. */
export const notByToken = () => new HttpProblem(403, 'http.notByToken')
/** Desk rights require a recent passkey confirmation of the session. */
export class PasskeyRequired extends HttpProblem {
  constructor() {
    super(403, 'http.passkeyRequired')
  }
}
export const passkeyRequired = () => new PasskeyRequired()

/**
 * Rejected service token (RFC 6750 §3.1). @param scopes one of which the endpoint requires; none: service tokens are
 * not accepted
 */
export class BearerProblem extends HttpProblem {
  readonly error: 'invalid_token' | 'insufficient_scope'
  readonly scopes: readonly string[]

  constructor(error: BearerProblem['error'], scopes: readonly string[] = []) {
    super(
      error === 'invalid_token' ? 401 : 403,
      error === 'invalid_token' ? 'http.invalidToken' : 'http.insufficientScope',
    )
    this.error = error
    this.scopes = scopes
  }
}

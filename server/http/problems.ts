/**
 * A refusal by the interface itself (not a domain outcome): answered as `{status: "Failed", message}` with this HTTP status.
 * The message is the text `key` in the caller's language.
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
/** Too much is to be done at once: not the caller's fault. */
export const busy = (seconds: number) => new HttpProblem(503, 'http.busy', { seconds })
export const tooManyRequests = (seconds: number) => new HttpProblem(429, 'http.tooManyRequests', { seconds })
/** A right works only in a session that a passkey has just confirmed. */
export class PasskeyRequired extends HttpProblem {
  constructor() {
    super(403, 'http.passkeyRequired')
  }
}
export const passkeyRequired = () => new PasskeyRequired()

/** A refused service token (RFC 6750 §3.1). @param scope that the call needs; none: it takes a person */
export class BearerProblem extends HttpProblem {
  readonly error: 'invalid_token' | 'insufficient_scope'
  readonly scope: string | undefined

  constructor(error: BearerProblem['error'], scope?: string) {
    super(
      error === 'invalid_token' ? 401 : 403,
      error === 'invalid_token' ? 'http.invalidToken' : 'http.insufficientScope',
    )
    this.error = error
    this.scope = scope
  }
}

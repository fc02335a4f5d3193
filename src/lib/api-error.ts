/** The server answered, with a refusal: `status` is the HTTP status, `message` its sentence in the reader's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** seconds to wait before another try, when the server said so */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** No usable answer: no network, no server, a timeout, or something that is not the portal's JSON (a hotel's login page). */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/** What to tell the reader: the portal's own sentence, or `otherwise` when none came. */
export const messageOf = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.message ? error.message : otherwise

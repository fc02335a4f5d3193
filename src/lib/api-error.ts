/** Error response of the server: `status` is the HTTP status, `message` the server's text in the reader's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** seconds from the Retry-After header; null without one */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/**
 * No usable response: network error, timeout, or a body that is not the portal's JSON (for example of a captive
 * portal).
 */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/** Error text for the reader: the server's message, or `otherwise` if the server did not respond. */
export const messageOf = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.message ? error.message : otherwise

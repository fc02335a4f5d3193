/** Error response of the server. `status` is the HTTP status, `message` the server's text in the reader's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** seconds from the Retry-After header; null if it is missing */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/**
 * There was no usable response: network error, timeout, or a body other than the portal's JSON, for example that of a
 * captive portal.
 */
export class NoResponseError extends Error {
  override name = 'NoResponseError'
}

/**
 * Error text for the user: the server's message, or `otherwise` if the server did not respond.
 * @param tooLarge for uploads that a proxy refuses because of their size
 */
export const errorMessageOf = (error: unknown, otherwise: string, tooLarge = otherwise): string => {
  if (!(error instanceof ApiError)) return otherwise
  return error.message || (error.status === 413 ? tooLarge : otherwise)
}

const lostListeners = new Set<() => void>()

/** Subscribes to 401 responses to calls that carried the stored token. Returns the unsubscribe function. */
export function onSessionLost(listener: () => void): () => void {
  lostListeners.add(listener)
  return () => lostListeners.delete(listener)
}

const forbiddenListeners = new Set<() => void>()

/** Subscribes to 403 responses, which mean that the session is valid but lacks the permission. */
export function onForbidden(listener: () => void): void {
  forbiddenListeners.add(listener)
}

/**
 * Notifies subscribers that the server refused access (401 or 403).
 * @param isOwn whether the call carried the stored token
 */
export function reportAccessRefused(status: number, isOwn: boolean): void {
  if (status === 401 && isOwn) for (const listener of lostListeners) listener()
  if (status === 403) for (const listener of forbiddenListeners) listener()
}

type ReachabilityListener = (isReachable: boolean, sentAt: number) => void
const reachabilityListeners = new Set<ReachabilityListener>()

/**
 * Subscribes to the outcome of each call: whether the server responded, and when the request was sent (device time in
 * ms).
 */
export function onReachabilityReport(listener: ReachabilityListener): void {
  reachabilityListeners.add(listener)
}

export const reportReachability: ReachabilityListener = (isReachable, sentAt) => {
  for (const listener of reachabilityListeners) listener(isReachable, sentAt)
}

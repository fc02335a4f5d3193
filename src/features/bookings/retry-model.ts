import { ApiError, NoResponseError } from '#lib/api-error.ts'

const FIRST_WAIT_MS = 800
const LONGEST_WAIT_MS = 20_000
/** Delay before a retry when the server opens booking slightly later than the local countdown ended. */
const NOT_OPEN_WAIT_MS = 400

/** Retryable HTTP status codes. */
const ASK_AGAIN = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Whether the outcome of a request is unknown because no response arrived in time, or because the server was busy or
 * failing.
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ApiError
    ? ASK_AGAIN.has(error.status)
    : error instanceof NoResponseError || (error instanceof Error && /^(?:Timeout|Abort)Error$/.test(error.name))

/**
 * Delay before a retry in ms: as in Retry-After, or else an exponential backoff.
 * @param attempt 1 after the first failure
 * @param random 0 to 1, for jitter
 */
export function retryDelayMs(error: unknown, attempt: number, random: number): number {
  const jitter = 0.75 + random / 2
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000 * (1 + random / 4)
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * jitter
}

/**
 * Delay before a retry when the local countdown has ended but the server has not opened booking yet; null if the
 * refusal is final.
 */
export const bookingStartRetryDelayMs = (
  isSeasonBookable: boolean,
  attempt: number,
  wasOpenForUs: boolean,
): number | null => (!isSeasonBookable && wasOpenForUs && attempt <= 8 ? NOT_OPEN_WAIT_MS : null)

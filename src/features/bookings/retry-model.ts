import { ApiError, NoAnswerError } from '#lib/api-error.ts'

const FIRST_WAIT_MS = 800
const LONGEST_WAIT_MS = 20_000
/** Retry delay if the server opens slightly after the local countdown has ended. */
const NOT_OPEN_WAIT_MS = 400

/** Retryable HTTP status codes. */
const ASK_AGAIN = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether the outcome is unknown: no response in time, or a busy or failing server. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ApiError
    ? ASK_AGAIN.has(error.status)
    : error instanceof NoAnswerError || (error instanceof Error && /^(?:Timeout|Abort)Error$/.test(error.name))

/**
 * Retry delay in ms: Retry-After, else exponential backoff.
 * @param attempt 1 after the first failure @param random jitter
 */
export function retryWaitMs(error: unknown, attempt: number, random: number): number {
  const jitter = 0.75 + random / 2
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000 * (1 + random / 4)
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * jitter
}

/** Retry delay if the server is not open yet although the local countdown has ended; null if the refusal is final. */
export const notOpenWaitMs = (isSeasonBookable: boolean, attempt: number, wasOpenForUs: boolean): number | null =>
  !isSeasonBookable && wasOpenForUs && attempt <= 8 ? NOT_OPEN_WAIT_MS : null

import { ApiError, NoAnswerError } from '#lib/api-error.ts'

const FIRST_WAIT_MS = 800
const LONGEST_WAIT_MS = 20_000
/** The opening may be this far ahead on the server when our countdown ends. */
const NOT_OPEN_WAIT_MS = 400

/** The server answered that it cannot answer: the same question may be put again. */
const ASK_AGAIN = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether an error leaves open what happened: no answer in time, or one of a busy or broken server. */
export const isUndecided = (error: unknown): boolean =>
  error instanceof ApiError
    ? ASK_AGAIN.has(error.status)
    : error instanceof NoAnswerError || (error instanceof Error && /^(?:Timeout|Abort)Error$/.test(error.name))

/**
 * Ms to wait: as the server said, else twice as long each time.
 * @param attempt 1 after the first failure @param random spreads a company
 */
export function retryWaitMs(error: unknown, attempt: number, random: number): number {
  const jitter = 0.75 + random / 2
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000 * (1 + random / 4)
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * jitter
}

/** The server is not open yet although our countdown has ended: how long to wait, or null to take the refusal as final. */
export const notOpenWaitMs = (isSeasonBookable: boolean, attempt: number, wasOpenForUs: boolean): number | null =>
  !isSeasonBookable && wasOpenForUs && attempt <= 8 ? NOT_OPEN_WAIT_MS : null

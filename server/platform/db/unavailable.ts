import { errorCodeOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/** The database is unavailable according to the portal's own checks, not according to an error from the server. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}

/** The database did not respond, so it is unknown whether the statement was executed. */
export class NoResponseError extends UnavailableError {
  override name = 'NoResponseError'
}

/** The server is read-only: a standby or a demoted primary. */
export class ReadOnlyError extends UnavailableError {
  override name = 'ReadOnlyError'
}

/**
 * SQLSTATEs of temporary failures: lost connections, deadlocks and serialization failures, insufficient resources,
 * server startup and shutdown, read-only servers, and timeouts of statements, locks and idle transactions.
 */
const STATES = /^(?:08...|40001|40P01|53...|57P..|57014|55P03|25P03|25006)$/
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
])
const WORDS =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Cannot use a pool after calling end/

/** Whether an error only means that the database is temporarily unavailable. See docs/decisions/0012. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  return error instanceof UnavailableError || STATES.test(code) || SYSTEM_CODES.has(code) || WORDS.test(error.message)
}

/** Whether a lock was not acquired within lock_timeout. */
export const isLockTimeout = (error: unknown): boolean => errorCodeOf(error) === '55P03'

/**
 * Converts the error of a database that is unavailable to one line for the operator. Other errors are returned
 * unchanged, also those of files and of listening, which can have the same codes.
 */
export function explainUnavailable(error: unknown): unknown {
  if (!isUnavailable(error) || 'path' in error || ('syscall' in error && error.syscall === 'listen')) return error
  const code = errorCodeOf(error)
  const isAnswer = /^\d/.test(code) && !/^(?:08|57P)/.test(code)
  const what =
    code === '53100'
      ? 'The disk of the database is full'
      : isAnswer
        ? 'The database cannot do this now'
        : 'Lost the connection to the database'
  return new StartError(`${what}: ${error.message}`, { cause: error })
}

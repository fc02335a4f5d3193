/** The database cannot serve now, as found by ourselves rather than said by it. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}

/** It does not answer: nothing is known of what was asked. */
export class SilentError extends UnavailableError {
  override name = 'SilentError'
}

/** It answers, but takes no writes: a standby, or a primary that is one no more. */
export class ReadOnlyError extends UnavailableError {
  override name = 'ReadOnlyError'
}

/**
 * SQLSTATEs: lost connections, conflicts, a lack of space or connections, a server that starts or stops, time limits, locks
 * that were not to be had, transactions that were idle for too long, and a server that may only be read.
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
const WORDS = /timeout exceeded when trying to connect|Connection terminated|is not queryable/

export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether an error says no more than that the database cannot serve now. See docs/decisions/0012. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return error instanceof UnavailableError || STATES.test(code) || SYSTEM_CODES.has(code) || WORDS.test(error.message)
}

/** Somebody else has held the lock for longer than lock_timeout. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

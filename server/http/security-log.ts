import { createHmac, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { countSecurityEvent } from '#server/metrics/registry.ts'

/** Security events to monitor: each is logged with `security` as its name, and counted. */
export type SecurityEvent =
  | 'login.ok'
  | 'login.failed'
  /** failed logins of one account, or from one network address over many accounts, reached their limit */
  | 'login.limit'
  /** failed logins in total are far above the usual rate */
  | 'login.failures-rising'
  | 'password.mailed'
  | 'password.changed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'sessions.ended'
  | 'email.changed'
  | 'account.undone'
  /** the directory tried to remove more than half of the company within a day */
  | 'directory.removals-refused'
  /** a browser reported a CSP violation: a bug or an attempted attack */
  | 'page.policy-broken'

/**
 * Details of a security event: ids and counts only; people without an id and network addresses are passed through
 * `pseudonym`.
 */
export type SecurityDetails = Record<string, string | number | boolean | null>

const ALARMS: SecurityEvent[] = [
  'login.limit',
  'login.failures-rising',
  'directory.removals-refused',
  'page.policy-broken',
]

// The counters are initialized with 0, because alerts on their increase need an initial value.
for (const alarm of ALARMS) countSecurityEvent(alarm, 0)

export function logSecurity(log: Logger, security: SecurityEvent, details: SecurityDetails = {}): void {
  countSecurityEvent(security)
  log[ALARMS.includes(security) ? 'warn' : 'info']({ security, ...details }, 'security')
}

/**
 * Random key that changes with each start: log lines of one run can be correlated, but pseudonyms cannot be reversed
 * with a list of addresses or names.
 */
const salt = randomBytes(32)

/** Keyed hash that replaces a name or address in the log. */
export const pseudonym = (text: string): string =>
  createHmac('sha256', salt).update(text).digest('base64url').slice(0, 12)

import { createHmac, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { countSecurityEvent } from '#server/platform/observability/registry.ts'

/** Security events to monitor. Each is counted, and logged under its name in the field `security`. */
export type SecurityEvent =
  | 'login.ok'
  | 'login.failed'
  /** the limit of failed logins for one account, or from one network for many accounts, has been reached */
  | 'login.limit'
  /** the total rate of failed logins is far above normal */
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
 * Details of a security event. They contain only ids and counts. Names of people without an id and network addresses
 * must be passed through `pseudonymOf`.
 */
export type SecurityDetails = Record<string, string | number | boolean | null>

const ALARMS: SecurityEvent[] = [
  'login.limit',
  'login.failures-rising',
  'directory.removals-refused',
  'page.policy-broken',
]

// The counters start at 0, because alerts on an increase need an initial value.
for (const alarm of ALARMS) countSecurityEvent(alarm, 0)

export function logSecurityEvent(log: Logger, security: SecurityEvent, details: SecurityDetails = {}): void {
  countSecurityEvent(security)
  log[ALARMS.includes(security) ? 'warn' : 'info']({ security, ...details }, 'security')
}

/**
 * Random key that changes with each start. Log lines of one run can be correlated, but pseudonyms cannot be reversed by
 * hashing a list of addresses or names.
 */
const salt = randomBytes(32)

/** Keyed hash that replaces a name or address in the log. */
export const pseudonymOf = (text: string): string =>
  createHmac('sha256', salt).update(text).digest('base64url').slice(0, 12)

import { createHmac, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { countSecurityEvent } from '#server/metrics/registry.ts'

/** What an operator should be able to see, count and be woken by: each has a line of its own in the log, with `security` naming it. */
export type SecurityEvent =
  | 'login.ok'
  | 'login.failed'
  /** failures of an account, or of a network address over many accounts, have reached their limit */
  | 'login.limit'
  /** failures in all, from anywhere, are far above the usual */
  | 'login.failures-rising'
  | 'password.mailed'
  | 'password.changed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'sessions.ended'
  | 'email.changed'
  | 'account.undone'
  /** the directory wanted to remove more than half of the company within a day */
  | 'directory.removals-refused'
  /** a browser refused what the page's policy forbids: a fault of ours, or somebody's try */
  | 'page.policy-broken'

/** Ids and counts only; whoever has no id, and every network address, goes through `pseudonym`. */
export type SecurityDetails = Record<string, string | number | boolean | null>

const ALARMS: SecurityEvent[] = [
  'login.limit',
  'login.failures-rising',
  'directory.removals-refused',
  'page.policy-broken',
]

// Alerts on the increase of a counter need its value before the first event.
for (const alarm of ALARMS) countSecurityEvent(alarm, 0)

export function logSecurity(log: Logger, security: SecurityEvent, details: SecurityDetails = {}): void {
  countSecurityEvent(security)
  log[ALARMS.includes(security) ? 'warn' : 'info']({ security, ...details }, 'security')
}

/** New with each start: lines of one run can be put together, and no list of addresses or names leads back. */
const salt = randomBytes(32)

/** A word in the place of a name or an address that the log must not hold. */
export const pseudonym = (text: string): string =>
  createHmac('sha256', salt).update(text).digest('base64url').slice(0, 12)

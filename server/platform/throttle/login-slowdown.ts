import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#server/platform/db/client.ts'
import { tooManyRequests } from '#server/platform/http/problems.ts'
import { logSecurityEvent } from '#server/platform/http/security-log.ts'
import { createFairQueue } from './fair-queue.ts'
import {
  isFailureRateAlarming,
  LOGIN_SLOWDOWN,
  MAIL_SLOWDOWNS,
  progressiveDelayMs,
  type ThrottleCase,
} from './rate-limits.ts'
import { countFailedLogins, countThrottleEvents, findWaitSeconds, recordThrottleEvent } from './repository.ts'

/** Queue in which delayed callers wait, with separate limits for each network. */
const pauses = createFairQueue({ atOnce: 1_000, atOncePerLane: 2, perLane: 8, inAll: 2_000, patienceMs: 15_000 })

/**
 * Delays a caller.
 * @param address network of the client
 * @throws HttpProblem 429 if too many callers from this network are already being delayed
 */
export const delayCaller = (address: string, ms: number): Promise<void> =>
  ms > 0 ? pauses.run({ name: address }, () => sleep(ms)) : Promise.resolve()

/** Time in ms for which logins from a throttled network are rejected without a database query. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

/**
 * Networks whose logins were recently rejected (unrecognized browsers only). This cache makes it cheap to reject
 * thousands of concurrent login attempts.
 */
const refused = new Map<string, { until: number; seconds: number }>()

/**
 * Fast path that rejects a login attempt without a database query.
 * @param address network of the client
 * @throws HttpProblem 429 if a login attempt from this network was rejected within the last second
 */
export function assertNotThrottled(address: string): void {
  const { until, seconds } = refused.get(address) ?? { until: 0, seconds: 0 }
  if (performance.now() < until) throw tooManyRequests(seconds)
  refused.delete(address)
}

function refuse(address: string, seconds: number): never {
  refused.set(address, { until: performance.now() + REFUSED_MS, seconds })
  const oldest = refused.keys().next().value
  if (refused.size > MAX_REFUSED && oldest !== undefined) refused.delete(oldest)
  throw tooManyRequests(seconds)
}

/**
 * Finds the delay for the next login from a network with failed logins for many user names.
 * @param isCrowded whether too many callers from this network are already being delayed
 * @throws HttpProblem 429 if the network has reached its limit, or if the login would have to be delayed and
 * `isCrowded` is true
 */
export async function findLoginDelay(
  db: Database,
  asked: ThrottleCase,
  isCrowded: boolean,
): Promise<{ hasFailed: boolean; pauseMs: number }> {
  const count = (await countThrottleEvents(db, ['spray'], asked.address)).get('spray') ?? 0
  if (count === 0) return { hasFailed: false, pauseMs: 0 }
  const waitS = await findWaitSeconds(db, 'spray', asked)
  if (waitS > 0) refuse(asked.address, waitS)
  const ms = progressiveDelayMs(LOGIN_SLOWDOWN, count)
  if (ms > 0 && isCrowded) refuse(asked.address, Math.ceil(LOGIN_SLOWDOWN.longestMs / 1000))
  return { hasFailed: true, pauseMs: ms }
}

/**
 * Delays a caller whose network probes for registered e-mail addresses or triggers e-mails to very many recipients.
 * @throws HttpProblem 429 if too many callers from this network are already being delayed
 */
export async function delayMailRequests(db: Database, address: string): Promise<void> {
  const kinds = MAIL_SLOWDOWNS.map(({ kind }) => kind)
  const counts = await countThrottleEvents(db, kinds, address)
  if (counts.size === 0) return
  await delayCaller(address, Math.max(...MAIL_SLOWDOWNS.map(own => progressiveDelayMs(own, counts.get(own.kind) ?? 0))))
}

/**
 * Delays requests that reveal whether an e-mail address is registered.
 * @param isCounted whether this request counts towards further delays
 */
export async function delayProbing(db: Database, asked: ThrottleCase, isCounted: boolean): Promise<void> {
  await delayMailRequests(db, asked.address)
  if (isCounted) await recordThrottleEvent(db, 'probe', asked)
}

const LOOK_EVERY_MS = 5_000
const ALARM_EVERY_MS = 10 * 60_000

/** Creates a check to run after failed logins. It logs a security event if their rate is far above normal. */
export function createFailureAlarm(db: Database, log: Logger): () => Promise<void> {
  let nextCheckAt = 0
  return async () => {
    const now = performance.now()
    if (now < nextCheckAt) return
    nextCheckAt = now + LOOK_EVERY_MS
    const { recent: failures, addresses, before } = await countFailedLogins(db)
    if (!isFailureRateAlarming(failures, before)) return
    logSecurityEvent(log, 'login.failures-rising', { failures, addresses, minutes: 10, dayBefore: before })
    nextCheckAt = now + ALARM_EVERY_MS
  }
}

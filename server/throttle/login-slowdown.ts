import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#server/db/client.ts'
import { tooManyRequests } from '#server/http/problems.ts'
import { logSecurity } from '#server/http/security-log.ts'
import { createFairQueue } from './fair-queue.ts'
import { delayMs, isAlarming, LOGIN_SLOWDOWN, MAIL_SLOWDOWNS, type ThrottleCase } from './rate-limits.ts'
import { countEvents, countFailures, findWaitS, insertEvent } from './repository.ts'

/** Queue for delayed callers, fair between network addresses. */
const pauses = createFairQueue({ atOnce: 1_000, atOncePerLane: 2, perLane: 8, inAll: 2_000, patienceMs: 15_000 })

/**
 * Delays a caller.
 * @throws HttpProblem 429 if too many callers of the address are delayed already
 */
export const delayCaller = (address: string, ms: number): Promise<void> =>
  ms > 0 ? pauses.run({ name: address }, () => sleep(ms)) : Promise.resolve()

/** Time in ms for which an address that was refused is refused again without a database query. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

/**
 * Addresses that were recently refused (unrecognized browsers only), which makes thousands of concurrent guesses cheap
 * to reject.
 */
const refused = new Map<string, { until: number; seconds: number }>()

/**
 * Refuses an address without a database query.
 * @throws HttpProblem 429 if a guess from it was refused recently
 */
export function assertNotRefused(address: string): void {
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
 * Delay of the next login from an address that has guessed passwords of many user names.
 * @param isCrowded too many callers are delayed already
 * @throws HttpProblem 429
 */
export async function findDelay(
  db: Database,
  asked: ThrottleCase,
  isCrowded: boolean,
): Promise<{ hasFailed: boolean; pauseMs: number }> {
  const count = (await countEvents(db, ['spray'], asked.address)).get('spray') ?? 0
  if (count === 0) return { hasFailed: false, pauseMs: 0 }
  const waitS = await findWaitS(db, 'spray', asked)
  if (waitS > 0) refuse(asked.address, waitS)
  const ms = delayMs(LOGIN_SLOWDOWN, count)
  if (ms > 0 && isCrowded) refuse(asked.address, Math.ceil(LOGIN_SLOWDOWN.longestMs / 1000))
  return { hasFailed: true, pauseMs: ms }
}

/**
 * Delays a network address that probes for registered e-mails or triggers mails to very many recipients. @throws
 * HttpProblem 429
 */
export async function slowDown(db: Database, address: string): Promise<void> {
  const kinds = MAIL_SLOWDOWNS.map(({ kind }) => kind)
  const counts = await countEvents(db, kinds, address)
  if (counts.size === 0) return
  await delayCaller(address, Math.max(...MAIL_SLOWDOWNS.map(own => delayMs(own, counts.get(own.kind) ?? 0))))
}

/**
 * Delays requests that reveal whether an e-mail address is registered.
 * @param isCounted whether this request counts toward further delays
 */
export async function slowDownProbing(db: Database, asked: ThrottleCase, isCounted: boolean): Promise<void> {
  await slowDown(db, asked.address)
  if (isCounted) await insertEvent(db, 'probe', asked)
}

const LOOK_EVERY_MS = 5_000
const ALARM_EVERY_MS = 10 * 60_000

/** Creates a check that runs after failed logins and logs an alarm if their rate is far above the usual one. */
export function createFailureAlarm(db: Database, log: Logger): () => Promise<void> {
  let nextCheckAt = 0
  return async () => {
    const now = performance.now()
    if (now < nextCheckAt) return
    nextCheckAt = now + LOOK_EVERY_MS
    const { recent: failures, addresses, before } = await countFailures(db)
    if (!isAlarming(failures, before)) return
    logSecurity(log, 'login.failures-rising', { failures, addresses, minutes: 10, dayBefore: before })
    nextCheckAt = now + ALARM_EVERY_MS
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#server/db/client.ts'
import { tooManyRequests } from '#server/http/problems.ts'
import { logSecurity } from '#server/http/security-log.ts'
import { createTurns } from '#server/http/turns.ts'
import { countEvents, countFailures, findWaitS } from './throttle-repository.ts'
import { isAlarming, LOGIN_PACE, MAIL_PACES, pauseMs, type ThrottleCase } from './throttle-rules.ts'

/** Those who are slowed wait here, side by side with those of other addresses. */
const pauses = createTurns({ atOnce: 1_000, atOncePerLane: 2, perLane: 8, inAll: 2_000, patienceMs: 15_000 })

const pause = (address: string, ms: number) =>
  ms > 0 ? pauses.run({ name: address }, () => sleep(ms)) : Promise.resolve()

/**
 * Slows the guesses of one address over many user names, then refuses them.
 * @param isCrowded more of the address wait than could be slowed one after the other
 * @returns whether there were any
 * @throws HttpProblem 429
 */
export async function paceGuesses(db: Database, asked: ThrottleCase, isCrowded: boolean): Promise<boolean> {
  const count = (await countEvents(db, ['spray'], asked.address)).get('spray') ?? 0
  if (count === 0) return false
  const waitS = await findWaitS(db, 'spray', asked)
  if (waitS > 0) throw tooManyRequests(waitS)
  const ms = pauseMs(LOGIN_PACE, count)
  if (ms > 0 && isCrowded) throw tooManyRequests(Math.ceil(LOGIN_PACE.longestMs / 1000))
  await pause(asked.address, ms)
  return true
}

/** Slows one network address that searches for registered e-mails, or has mails sent to very many. @throws HttpProblem 429 */
export async function pace(db: Database, address: string): Promise<void> {
  const counts = await countEvents(
    db,
    MAIL_PACES.map(({ kind }) => kind),
    address,
  )
  await pause(address, Math.max(...MAIL_PACES.map(own => pauseMs(own, counts.get(own.kind) ?? 0))))
}

const LOOK_EVERY_MS = 5_000
const ALARM_EVERY_MS = 10 * 60_000

/** Looks, after failures, whether there are far more of them than usual, and says so in the log. */
export function createFailureWatch(db: Database, log: Logger): () => Promise<void> {
  let nextLookAt = 0
  return async () => {
    const now = performance.now()
    if (now < nextLookAt) return
    nextLookAt = now + LOOK_EVERY_MS
    const { recent: failures, addresses, before } = await countFailures(db)
    if (!isAlarming(failures, before)) return
    logSecurity(log, 'login.failures-rising', { failures, addresses, minutes: 10, dayBefore: before })
    nextLookAt = now + ALARM_EVERY_MS
  }
}

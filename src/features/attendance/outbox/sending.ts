import type { Mark } from '#contract/attendance.ts'
import { ApiError } from '#lib/api-error.ts'
import type { Sender } from './database.ts'
import { isUnsent, nextToSend, type OutboxEntry } from './records.ts'
import type { World } from './world.ts'

const LOCK = 'attendance-outbox'
/** The server asks for another try; everything else below 500 is its decision. */
const TRY_AGAIN = new Set([408, 425, 429])

export type SendOutcome =
  /** nothing of this person waits any more */
  | { outcome: 'done' }
  /** no usable answer: the rest waits; `retryAfterMs` when the server said how long */
  | { outcome: 'later'; retryAfterMs: number | null }
  /** the session is over: the rest waits for the same person's login */
  | { outcome: 'login' }

/** Where the entries are. */
export type Box = {
  /** all of them, as new as can be had */
  read(): Promise<OutboxEntry[]>
  /** Changes an entry. False when it is no longer the same change: then there is nothing to send. */
  change(entry: OutboxEntry): Promise<boolean>
}

const LOCK_PATIENCE_MS = 30_000

/**
 * One sender at a time among pages and the worker. The server's deduplication is the guarantee, the lock a comfort: who
 * holds it for too long (a tab that the phone has frozen) is not waited for.
 */
async function underLock<T>({ locks, after }: Pick<World, 'locks' | 'after'>, work: () => Promise<T>): Promise<T> {
  if (!locks) return work()
  const patience = new AbortController()
  const stop = after(LOCK_PATIENCE_MS, () => patience.abort())
  let isStarted = false
  try {
    return (await locks.request(LOCK, { signal: patience.signal }, () => {
      isStarted = true
      stop()
      return work()
    })) as T
  } catch (error) {
    if (isStarted) throw error
    return work()
  } finally {
    stop()
  }
}

type Verdict =
  | { state: 'confirmed' | 'refused'; message: string }
  | { state: 'overtaken'; message: string; stands: Mark }
  | { state: 'waiting'; outcome: Exclude<SendOutcome, { outcome: 'done' }> }

const later = (retryAfterMs: number | null = null): Verdict => ({
  state: 'waiting',
  outcome: { outcome: 'later', retryAfterMs },
})

/** What an answer, or its absence, means for the entry. */
async function attempt(entry: OutboxEntry, sender: Sender, send: World['send']): Promise<Verdict> {
  try {
    const { isOk, isEcho, overtakenBy, message } = await send(entry, sender)
    // An answer about something else is no answer.
    if (!isEcho) return later()
    if (!isOk) return { state: 'refused', message }
    return overtakenBy === null
      ? { state: 'confirmed', message: '' }
      : { state: 'overtaken', message, stands: overtakenBy }
  } catch (error) {
    if (!(error instanceof ApiError)) return later()
    if (error.status === 401) return { state: 'waiting', outcome: { outcome: 'login' } }
    if (error.status >= 500 || TRY_AGAIN.has(error.status)) {
      return later(error.retryAfter === null ? null : error.retryAfter * 1000)
    }
    return { state: 'refused', message: error.message }
  }
}

/**
 * Sends what waits until nothing is left or no answer comes, each change once: what still waits then is for a later run. An
 * entry is confirmed only by the server's own answer; a refused one stays until the instructor decides, and the others go on.
 */
export const sendWaiting = (
  world: Pick<World, 'locks' | 'after' | 'send'>,
  box: Box,
  sender: Sender,
): Promise<SendOutcome> =>
  underLock(world, async () => {
    const tried = new Set<string>()
    for (;;) {
      const entries = await box.read()
      const entry = nextToSend(entries, sender.userId, tried)
      if (!entry) {
        const isLeft = entries.some(of => of.userId === sender.userId && isUnsent(of))
        return isLeft ? { outcome: 'later', retryAfterMs: null } : { outcome: 'done' }
      }
      tried.add(entry.changeId)
      const sending: OutboxEntry = { ...entry, state: 'sending', attempts: entry.attempts + 1 }
      if (!(await box.change(sending))) continue
      const verdict = await attempt(sending, sender, world.send)
      const lastError = verdict.state === 'waiting' ? sending.lastError : verdict.message
      const stands = verdict.state === 'overtaken' ? { stands: verdict.stands } : {}
      await box.change({ ...sending, state: verdict.state, lastError, ...stands })
      if (verdict.state === 'waiting') return verdict.outcome
    }
  })

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** How long to wait before try number `failures + 1`: doubled each time, up to a minute, with jitter. @param random 0 to 1 */
export const backoffMs = (failures: number, random: number): number =>
  Math.round(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS) * (0.5 + random / 2))

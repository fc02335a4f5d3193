import { ApiError } from '#lib/api-error.ts'
import type { SendEntry } from './outbox-api.ts'
import type { OutboxDatabase, Sender } from './outbox-database.ts'
import { nextToSend, type OutboxEntry } from './outbox-records.ts'

const LOCK = 'attendance-outbox'
/** The server asks for another try; everything else below 500 is its decision. */
const TRY_AGAIN = new Set([408, 425, 429])

export type FlushResult =
  /** nothing of this person waits any more */
  | { outcome: 'done' }
  /** no usable answer: the rest waits; `retryAfterMs` when the server said how long */
  | { outcome: 'later'; retryAfterMs: number | null }
  /** the session is over: the rest waits for the same person's login */
  | { outcome: 'login' }

type Locks = Pick<LockManager, 'request'>

export type FlushOptions = {
  database: OutboxDatabase
  sender: Sender
  send: SendEntry
  /** called after every change of an entry, so that the screen follows */
  onChange?: () => Promise<void> | void
  /** missing where the browser has no Web Locks */
  locks?: Locks | undefined
  lockPatienceMs?: number
}

const LOCK_PATIENCE_MS = 30_000

/**
 * One sender at a time among pages and the worker. The server's deduplication is the guarantee, the lock a comfort: who
 * holds it for too long (a tab that the phone has frozen) is not waited for.
 */
async function underLock<T>(locks: Locks | undefined, patienceMs: number, work: () => Promise<T>): Promise<T> {
  if (!locks) return work()
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patienceMs)
  let isStarted = false
  try {
    return (await locks.request(LOCK, { signal: patience.signal }, () => {
      isStarted = true
      clearTimeout(timer)
      return work()
    })) as T
  } catch (error) {
    if (isStarted) throw error
    return work()
  } finally {
    clearTimeout(timer)
  }
}

/** What an answer, or its absence, means for the entry. */
async function attempt(entry: OutboxEntry, { sender, send }: FlushOptions) {
  try {
    const { isOk, isEcho, message } = await send(entry, sender)
    // An answer about something else is no answer.
    if (!isEcho) return { verdict: 'later', retryAfterMs: null } as const
    return isOk ? ({ verdict: 'confirmed' } as const) : ({ verdict: 'refused', message } as const)
  } catch (error) {
    if (!(error instanceof ApiError)) return { verdict: 'later', retryAfterMs: null } as const
    if (error.status === 401) return { verdict: 'login' } as const
    if (error.status >= 500 || TRY_AGAIN.has(error.status)) {
      const retryAfterMs = error.retryAfter === null ? null : error.retryAfter * 1000
      return { verdict: 'later', retryAfterMs } as const
    }
    return { verdict: 'refused', message: error.message } as const
  }
}

/**
 * Sends what waits until nothing is left or no answer comes. An entry is confirmed only by the server's own answer; a
 * refused one stays until the instructor decides, and the others go on.
 */
export function flushOutbox(options: FlushOptions): Promise<FlushResult> {
  const { database, sender, onChange = () => undefined, locks, lockPatienceMs = LOCK_PATIENCE_MS } = options
  return underLock(locks, lockPatienceMs, async () => {
    for (;;) {
      const entry = nextToSend(await database.list(), sender.userId)
      if (!entry) return { outcome: 'done' }

      const sending: OutboxEntry = { ...entry, state: 'sending', attempts: entry.attempts + 1 }
      await database.replace(entry.changeId, sending)
      await onChange()
      const result = await attempt(sending, options)
      await database.replace(entry.changeId, settle(sending, result))
      await onChange()
      if (result.verdict === 'later') return { outcome: 'later', retryAfterMs: result.retryAfterMs }
      if (result.verdict === 'login') return { outcome: 'login' }
    }
  })
}

function settle(entry: OutboxEntry, result: Awaited<ReturnType<typeof attempt>>): OutboxEntry {
  switch (result.verdict) {
    case 'confirmed':
      return { ...entry, state: 'confirmed', lastError: '' }
    case 'refused':
      return { ...entry, state: 'refused', lastError: result.message }
    default:
      return { ...entry, state: 'waiting' }
  }
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** How long to wait before try number `failures + 1`: doubled each time, up to a minute, with jitter. @param random 0 to 1 */
export const backoffMs = (failures: number, random: number): number =>
  Math.round(Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS) * (0.5 + random / 2))

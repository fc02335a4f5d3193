import { changePresence, completeParticipation, type Mark, markOf, noteDoorGuest } from '#contract/attendance.ts'
import { ApiError } from '#lib/api-error.ts'
import type { Call } from '#lib/call.ts'
import { runExclusive } from '#lib/exclusive.ts'
import { retryAfterSleep } from '#lib/retry-after-sleep.ts'
import type { Sender } from './database.ts'
import type { Platform, SendEntry } from './platform.ts'
import { changedAtOf, isUnsent, markOfTick, nextToSend, type OutboxEntry } from './records.ts'

const LOCK = 'attendance-outbox'

const OUTCOMES: readonly unknown[] = ['Ok', 'Failed']

/** @param call the page's or the worker's way to the portal */
export const sendEntryThrough =
  (call: Call): SendEntry =>
  async (entry, { token, language }, signal) => {
    if (entry.kind === 'completion') {
      const { courseId, isCompleted } = entry
      const answer = await call(completeParticipation, { token, language, signal, body: { courseId, isCompleted } })
      return {
        isOk: answer.state === 'Ok',
        isEcho: OUTCOMES.includes(answer.state) && answer.courseId === courseId && answer.isCompleted === isCompleted,
        overtakenBy: null,
        message: answer.message,
      }
    }
    if (entry.kind === 'guest') {
      const { courseDateId, guestId, name } = entry
      const changeState = entry.isNoted ? 'added' : 'deleted'
      const body = { changeState, courseDateId, guestId, name } as const
      const answer = await call(noteDoorGuest, { token, language, signal, body })
      return {
        isOk: answer.status === 'Ok',
        isEcho:
          OUTCOMES.includes(answer.status) &&
          answer.guestId === guestId &&
          answer.courseDateId === courseDateId &&
          answer.changeState === changeState,
        overtakenBy: null,
        message: answer.message,
      }
    }
    const { courseDateId, webUserId, changeId, isPresent, isRecorded } = entry
    const changeState = isPresent ? 'added' : 'deleted'
    const answer = await call(changePresence, {
      token,
      language,
      signal,
      body: {
        changeState,
        courseDateId,
        webUserId,
        changeId,
        changedAt: changedAtOf(entry),
        ...(isRecorded === false ? { isRecorded } : {}),
      },
    })
    // Said only where a later change stands; a server that does not know of taking back has recorded the person as absent.
    const isAsSent = answer.isUserPresent === undefined && answer.isRecorded === isRecorded
    const stands = isAsSent ? null : markOf({ ...answer, isUserPresent: answer.isUserPresent ?? isPresent })
    return {
      isOk: answer.status === 'Ok',
      isEcho:
        OUTCOMES.includes(answer.status) &&
        answer.changeId === changeId &&
        answer.courseDateId === courseDateId &&
        answer.webUserId === webUserId &&
        answer.changeState === changeState,
      overtakenBy: stands === null || stands === markOfTick(entry) ? null : stands,
      message: answer.message,
    }
  }

/** The server asks for another try; everything else below 500 is its decision. */
const TRY_AGAIN = new Set([408, 425, 429])

export type SendOutcome =
  /** nothing of this person waits any more */
  | { outcome: 'done' }
  /** no usable answer: the rest waits; `retryAfterMs` when the server said how long */
  | { outcome: 'later'; retryAfterMs: number | null }
  /** the session is over: the rest waits for the same person's login */
  | { outcome: 'login' }

export type Box = {
  /** all of them, as new as can be had */
  read(): Promise<OutboxEntry[]>
  /** all of them, as they are known here */
  known(): OutboxEntry[]
  /** Changes an entry. False when it is no longer the same change: then there is nothing to send. */
  change(entry: OutboxEntry): Promise<boolean>
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
async function attempt(
  entry: OutboxEntry,
  sender: Sender,
  world: Pick<Platform, 'now' | 'after' | 'send'>,
): Promise<Verdict> {
  try {
    const { isOk, isEcho, overtakenBy, message } = await retryAfterSleep(world, signal =>
      world.send(entry, sender, signal),
    )
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

/** Sends until nothing is left or no answer comes, each change once. Only the server's answer confirms; a refused one stays. */
export const sendWaiting = (
  world: Pick<Platform, 'locks' | 'now' | 'after' | 'send'>,
  box: Box,
  sender: Sender,
): Promise<SendOutcome> =>
  runExclusive(world, LOCK, async () => {
    const tried = new Set<string>()
    // What others add meanwhile, they send themselves.
    for (let entries = await box.read(); ; entries = box.known()) {
      const entry = nextToSend(entries, sender.userId, tried)
      if (!entry) {
        const isLeft = entries.some(of => of.userId === sender.userId && isUnsent(of))
        return isLeft ? { outcome: 'later', retryAfterMs: null } : { outcome: 'done' }
      }
      // Who was sending the others is gone, or does not wake: they wait for their turn.
      for (const left of entries)
        if (left !== entry && left.userId === sender.userId && left.state === 'sending')
          await box.change({ ...left, state: 'waiting' })
      tried.add(entry.changeId)
      const sending: OutboxEntry = { ...entry, state: 'sending', attempts: entry.attempts + 1 }
      if (!(await box.change(sending))) continue
      const verdict = await attempt(sending, sender, world)
      const lastError = verdict.state === 'waiting' ? sending.lastError : verdict.message
      const stands = verdict.state === 'overtaken' ? { stands: verdict.stands } : {}
      await box.change({ ...sending, state: verdict.state, lastError, ...stands })
      if (verdict.state === 'waiting') return verdict.outcome
    }
  })

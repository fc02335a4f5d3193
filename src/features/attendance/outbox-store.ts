import type { Session } from '#contract/session.ts'
import { clockOffsetMs } from '#lib/clock.ts'
import { readLanguage } from '#lib/language.ts'
import { newUuid } from '#lib/uuid.ts'
import { sendEntry } from './api.ts'
import { type Completion, doneAtOf, isUnsent, type OutboxEntry, type Tick } from './outbox-records.ts'
import { announce, currentSession, loadList, outbox, useAttendance } from './store.ts'
import { flush } from './sync.ts'

const { setState: set, getState: get } = useAttendance

const LAST_KEY = 'AttendanceLastDoneAt'
let lastDoneAt = 0

/** The next moment in server time, ms: later than that of every entry before, also when this device's clock is set back. */
function nextDoneAt(): number {
  let stored = 0
  try {
    stored = Number(localStorage.getItem(LAST_KEY))
  } catch {
    // Blocked storage: the entries themselves and this page's memory have to do.
  }
  lastDoneAt = Math.max(
    Date.now() + clockOffsetMs(),
    ...[lastDoneAt, stored, ...get().entries.map(doneAtOf)].map(at => at + 1),
  )
  try {
    localStorage.setItem(LAST_KEY, String(lastDoneAt))
  } catch {
    // As above.
  }
  return lastDoneAt
}

/** What every entry has in common, made at the tap. */
function entryOf({ webUserId }: Session, courseId: number) {
  const offsetMs = clockOffsetMs()
  return {
    changeId: newUuid(),
    userId: webUserId,
    courseId,
    recordedAt: nextDoneAt() - offsetMs,
    clockOffsetMs: offsetMs,
    state: 'waiting' as const,
    attempts: 0,
    lastError: '',
  }
}

type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** Lets the worker send when the page is closed before the network is back. */
async function askWorkerToSend(): Promise<void> {
  const registration: SyncRegistration | undefined = await navigator.serviceWorker?.getRegistration()
  await registration?.sync?.register('attendance-outbox')
}

let isPersistenceAsked = false

/** Asks the browser not to clear this phone's data when space runs short. */
function askForPersistence(): void {
  if (isPersistenceAsked) return
  isPersistenceAsked = true
  navigator.storage?.persist?.().catch(() => undefined)
}

async function record(entries: OutboxEntry[], { id: token, webUserId: userId, keepSession }: Session): Promise<void> {
  await (await outbox()).put(entries, keepSession ? { userId, token, language: readLanguage() } : null)
  await announce()
  askForPersistence()
  askWorkerToSend().catch(() => undefined)
  // Without an answer the next try is on its way: not every tap has to be one.
  if (get().failures === 0) flush()
}

/** A full or blocked disk: the server's answer is then the only safe place. */
async function sendDirectly(entries: OutboxEntry[], session: Session, cause: unknown): Promise<void> {
  for (const entry of entries) {
    const result = await sendEntry(entry, { userId: session.webUserId, token: session.id }).catch(() => null)
    if (!result?.isOk || !result.isEcho) throw new Error(result?.message ?? '', { cause })
  }
  const courseId = entries[0]?.courseId
  if (courseId !== undefined) await loadList(courseId)
}

/**
 * Records one tap: these people present or absent on this date. On the disk first, then sent.
 * @throws when this phone cannot store it and the server does not take it either; its sentence, or '' without an answer
 */
export async function setPresence(courseId: number, courseDateId: number, webUserIds: number[], isPresent: boolean) {
  const session = currentSession()
  const ticks = webUserIds.map(
    (webUserId): Tick => ({ kind: 'tick', courseDateId, webUserId, isPresent, ...entryOf(session, courseId) }),
  )
  set(({ saving }) => ({ saving: [...saving, ...ticks] }))
  try {
    await record(ticks, session).catch(error => sendDirectly(ticks, session, error))
  } finally {
    set(({ saving }) => ({ saving: saving.filter(tick => !ticks.includes(tick)) }))
  }
}

/**
 * Closes or reopens the attendance of a course, behind the ticks that wait.
 * @throws as setPresence
 */
export async function setCompleted(courseId: number, isCompleted: boolean): Promise<void> {
  const session = currentSession()
  const entry: Completion = { kind: 'completion', isCompleted, ...entryOf(session, courseId) }
  const pending = get().entries.filter(
    (other): other is Completion =>
      other.kind === 'completion' &&
      other.courseId === courseId &&
      other.userId === session.webUserId &&
      isUnsent(other),
  )
  const closing = pending.find(other => other.isCompleted)
  if (!isCompleted && closing) {
    await discardEntry(closing)
    // The ticks since an earlier reopening still need it where it stands.
    if (pending.some(other => !other.isCompleted)) return
  }
  await record([entry], session).catch(error => sendDirectly([entry], session, error))
}

/** Forgets an entry: a closing taken back, or the instructor's decision on a refused one that the server's value stands. */
export async function discardEntry(entry: OutboxEntry): Promise<void> {
  await (await outbox()).remove(entry)
  await announce()
}

/** The instructor's decision on a refused entry: it holds, as of now. */
export async function sendAgain(entry: OutboxEntry): Promise<void> {
  const renewed = { ...entry, ...entryOf(currentSession(), entry.courseId) }
  await (await outbox()).replace(entry.changeId, renewed)
  await announce()
  flush()
}

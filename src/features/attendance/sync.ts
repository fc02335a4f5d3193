import type { Session } from '#contract/session.ts'
import { useSession } from '#features/session/store.ts'
import { clockOffsetMs } from '#lib/clock.ts'
import { useOnline } from '#lib/online.ts'
import { sendEntry } from './api.ts'
import { applyConfirmed } from './model.ts'
import { backoffMs, flushOutbox } from './outbox.ts'
import { type Completion, isUnsent, type OutboxEntry, type Tick } from './outbox-records.ts'
import {
  announce,
  channel,
  currentSession,
  dropExpiredLists,
  keepListsOf,
  loadInstructorCourses,
  outbox,
  readEntries,
  useAttendance,
} from './store.ts'

const { setState: set, getState: get } = useAttendance

let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> | null = null
let isAskedAgain = false

async function flushOnce({ id: token, webUserId: userId }: Session): Promise<void> {
  const result = await flushOutbox({
    database: await outbox(),
    sender: { userId, token },
    send: sendEntry,
    onChange: announce,
    locks: navigator.locks,
  })
  set({ lastTriedAt: Date.now(), failures: result.outcome === 'later' ? get().failures + 1 : 0 })
  if (result.outcome === 'done') await (await outbox()).writeSender(null)
  if (result.outcome === 'later') {
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(result.retryAfterMs ?? 0, backoffMs(get().failures, Math.random())))
  }
}

/** Sends what waits; safe to call at any time and any number of times. */
export async function flush(): Promise<void> {
  const session = useSession.getState().session
  if (!session?.webUserId || !get().entries.some(entry => entry.userId === session.webUserId && isUnsent(entry))) return
  // What was added while a flush runs may have been missed by it: one more follows.
  isAskedAgain = true
  running ??= (async () => {
    while (isAskedAgain) {
      isAskedAgain = false
      await flushOnce(session)
    }
  })().finally(() => {
    running = null
  })
  await running
}

let lastRecordedAt = 0

/** What every entry has in common, made at the tap. */
function entryOf(session: Session, courseId: number) {
  // The order of the taps holds even when the clock is set back between two of them.
  lastRecordedAt = Math.max(Date.now(), lastRecordedAt + 1, ...get().entries.map(entry => entry.recordedAt + 1))
  return {
    changeId: crypto.randomUUID(),
    userId: session.webUserId,
    courseId,
    recordedAt: lastRecordedAt,
    clockOffsetMs: clockOffsetMs(),
    state: 'waiting' as const,
    attempts: 0,
    lastError: '',
  }
}

type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** Lets the worker send when the page is closed before the network is back. */
async function askWorkerToSend({ id: token, webUserId: userId, keepSession }: Session): Promise<void> {
  if (keepSession) await (await outbox()).writeSender({ userId, token })
  const registration: SyncRegistration | undefined = await navigator.serviceWorker?.getRegistration()
  await registration?.sync?.register('attendance-outbox')
}

async function record(entry: OutboxEntry, session: Session): Promise<void> {
  await (await outbox()).put(entry)
  await announce()
  askWorkerToSend(session).catch(() => undefined)
  flush()
}

/**
 * Records presence at a tap: on the disk first, then sent.
 * @throws when this phone cannot store it and the server cannot be reached either
 */
export async function setPresence(courseId: number, courseDateId: number, webUserId: number, isPresent: boolean) {
  const session = currentSession()
  const tick: Tick = { kind: 'tick', courseDateId, webUserId, isPresent, ...entryOf(session, courseId) }
  set(({ saving }) => ({ saving: [...saving, tick] }))
  try {
    await record(tick, session).catch(error => sendDirectly(tick, session, error))
  } finally {
    set(({ saving }) => ({ saving: saving.filter(({ changeId }) => changeId !== tick.changeId) }))
  }
}

/** A full or blocked disk: the server's answer is then the only safe place. */
async function sendDirectly(entry: OutboxEntry, session: Session, cause: unknown): Promise<void> {
  const result = await sendEntry(entry, session.id).catch(() => null)
  if (!result?.isOk) throw new Error(result?.message ?? '', { cause })
  const list = get().lists[entry.courseId]
  if (list) set(({ lists }) => ({ lists: { ...lists, [entry.courseId]: applyConfirmed(list, entry) } }))
}

/** Closes or reopens the attendance of a course, behind the ticks that wait. */
export async function setCompleted(courseId: number, isCompleted: boolean): Promise<void> {
  const session = currentSession()
  const entry: Completion = { kind: 'completion', isCompleted, ...entryOf(session, courseId) }
  await record(entry, session).catch(error => sendDirectly(entry, session, error))
}

/** The instructor's decision on a refused entry: forget it, the server's value stands. */
export async function discardEntry(entry: OutboxEntry): Promise<void> {
  await (await outbox()).remove(entry)
  await announce()
}

/** The instructor's decision on a refused entry: send it once more. */
export async function sendAgain(entry: OutboxEntry): Promise<void> {
  await (await outbox()).replace(entry.changeId, { ...entry, state: 'waiting', lastError: '' })
  await announce()
  flush()
}

/** The session's person changed: another's lists leave the phone, the outbox stays. */
async function followSession(session: Session | null): Promise<void> {
  const userId = session?.isInstructor ? session.webUserId : 0
  keepListsOf(userId)
  if (userId === 0) await (await outbox()).writeSender(null)
  else {
    await flush()
    await loadInstructorCourses()
  }
}

/** Starts the outbox: what an earlier page left is sent, and again whenever there is reason to hope. */
export async function startAttendance(): Promise<void> {
  await useAttendance.persist.rehydrate()
  dropExpiredLists()
  await readEntries().catch(() => undefined)
  channel?.addEventListener('message', () => readEntries())
  for (const event of ['pageshow', 'focus']) window.addEventListener(event, () => flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    dropExpiredLists()
    flush()
  })
  // Any call that got through is a reason to hope for the others.
  useOnline.subscribe(({ isOnline }) => isOnline && flush())
  let userId: number | undefined
  const follow = ({ phase, session }: ReturnType<typeof useSession.getState>) => {
    const newUserId = session?.webUserId ?? 0
    if (phase === 'checking' || userId === newUserId) return
    userId = newUserId
    followSession(session).catch(() => undefined)
  }
  useSession.subscribe(follow)
  follow(useSession.getState())
}

import { create } from 'zustand'
import type { Session } from '#contract/session.ts'
import { useSession } from '#features/session/store.ts'
import { fetchCourseDates, fetchInstructorCourses } from './api.ts'
import { type Kept, NOTHING_KEPT, readKept, removeKept, writeCourses, writeList } from './cache.ts'
import { namesExpireAt, type StoredList, startsSoon } from './model.ts'
import { type OutboxDatabase, openOutboxDatabase } from './outbox-database.ts'
import { isUnsent, type OutboxEntry, type Tick } from './outbox-records.ts'

type AttendanceState = Kept & {
  /** the outbox as it stands on the disk */
  entries: OutboxEntry[]
  /** ticks whose write is not finished */
  saving: Tick[]
  failures: number
  /** device time of the last try to send, ms; null before the first */
  lastTriedAt: number | null
  /** `none`: the browser refuses to store; `newer`: a newer version of the app has been here, this one may not write */
  disk: 'ok' | 'none' | 'newer'
}

export const useAttendance = create<AttendanceState>(() => ({
  ...NOTHING_KEPT,
  entries: [],
  saving: [],
  failures: 0,
  lastTriedAt: null,
  disk: 'ok',
}))

const { setState: set, getState: get } = useAttendance
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('attendance-outbox')

let opened: Promise<OutboxDatabase> | null = null
/** The outbox's database, opened at the first use. @throws DOMException when the browser refuses it */
export async function outbox(): Promise<OutboxDatabase> {
  const forget = () => {
    opened = null
  }
  try {
    opened ??= openOutboxDatabase(indexedDB, forget)
    const database = await opened
    if (get().disk !== 'ok') set({ disk: 'ok' })
    return database
  } catch (error) {
    forget()
    set({ disk: error instanceof DOMException && error.name === 'VersionError' ? 'newer' : 'none' })
    throw error
  }
}

export const readEntries = async (): Promise<void> => set({ entries: await (await outbox()).list() })

/** Reads the outbox anew, here and in the other tabs. */
export async function announce(): Promise<void> {
  await readEntries()
  channel?.postMessage('changed')
}

const userIdNow = () => useSession.getState().session?.webUserId ?? 0

export const currentSession = (): Session => {
  const session = useSession.getState().session
  if (!session) throw new Error('no session')
  return session
}

/** Shows what the phone has kept for this person. */
export async function recallKept(): Promise<void> {
  const userId = userIdNow()
  const kept = await readKept(await outbox(), userId, Date.now())
  // What came from the server meanwhile is newer.
  if (userId === userIdNow())
    set(state => ({ ...(state.courses ? {} : kept), lists: { ...kept.lists, ...state.lists } }))
}

/** Everything with names leaves page and phone. The outbox stays. */
export async function forgetKept(): Promise<void> {
  set(NOTHING_KEPT)
  await removeKept(await outbox())
}

/** Follows the worker and other tabs: their changes of the outbox and their newer lists. */
export function followOtherTabs(): void {
  channel?.addEventListener('message', ({ data }) => {
    const reading = data === 'lists' ? rereadLists() : readEntries()
    reading.catch(() => undefined)
  })
}

async function rereadLists(): Promise<void> {
  const userId = userIdNow()
  const { lists } = await readKept(await outbox(), userId, Date.now())
  if (userId === userIdNow()) set({ lists })
  await readEntries()
}

/** Fetches a course's list for the phone. @throws ApiError, NoAnswerError */
export async function loadList(courseId: number): Promise<void> {
  const { webUserId } = currentSession()
  const fetchedAt = Date.now()
  // What the server confirmed before this question is in its answer; what it confirms meanwhile may be missing there.
  const settled = get().entries.filter(
    entry => entry.courseId === courseId && entry.userId === webUserId && entry.state === 'confirmed',
  )
  const list: StoredList = { ...(await fetchCourseDates(courseId)), fetchedAt }
  if (list.state !== 'Ok') throw new Error(list.message)
  if (userIdNow() !== webUserId || (get().lists[courseId]?.fetchedAt ?? 0) > fetchedAt) return
  const gone = new Set(settled.map(({ changeId }) => changeId))
  set(({ lists, entries }) => ({
    lists: { ...lists, [courseId]: list },
    entries: entries.filter(({ changeId }) => !gone.has(changeId)),
  }))
  // Without a disk the list lasts as long as the page.
  await outbox()
    .then(database => writeList(database, webUserId, list, settled))
    .then(() => channel?.postMessage('lists'))
    .catch(() => undefined)
}

/** Fetches the instructor's courses, and the lists of those that run or start soon, so that they are there in the gym. */
export async function loadInstructorCourses(): Promise<void> {
  const { webUserId } = currentSession()
  const coursesFetchedAt = Date.now()
  const courses = await fetchInstructorCourses()
  if (userIdNow() !== webUserId) return
  set({ courses, coursesFetchedAt })
  await outbox()
    .then(database => writeCourses(database, webUserId, courses, coursesFetchedAt))
    .catch(() => undefined)
  for (const { id } of courses.filter(course => course.running || startsSoon(course, Date.now()))) {
    await loadList(id).catch(() => undefined)
  }
}

/** Names that may not stay leave the page and the phone; ticks never do. */
export async function dropExpiredLists(now = Date.now()): Promise<void> {
  const stay = Object.values(get().lists).filter(list => namesExpireAt(list) > now)
  if (stay.length < Object.keys(get().lists).length) {
    set({ lists: Object.fromEntries(stay.map(list => [list.courseId, list])) })
  }
  const userId = userIdNow()
  if (userId !== 0) await readKept(await outbox(), userId, now)
}

/** What one person recorded and the server has not confirmed yet. */
export const unsentOf = (entries: OutboxEntry[], userId: number | undefined): OutboxEntry[] =>
  entries.filter(entry => entry.userId === userId && isUnsent(entry))

import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Course } from '#contract/courses.ts'
import type { Session } from '#contract/session.ts'
import { useSession } from '#features/session/store.ts'
import { indexedDbStorage } from '#lib/storage.ts'
import { fetchCourseDates, fetchInstructorCourses } from './api.ts'
import { applyConfirmed, namesExpireAt, type StoredList } from './model.ts'
import { type OutboxDatabase, openOutboxDatabase } from './outbox-database.ts'
import { isUnsent, type OutboxEntry, type Tick } from './outbox-records.ts'

/** On the phone for one instructor, and gone at logout. */
type Kept = { userId: number; courses: Course[] | null; coursesFetchedAt: number; lists: Record<number, StoredList> }

type AttendanceState = Kept & {
  /** the outbox as it stands on the disk */
  entries: OutboxEntry[]
  /** ticks whose write is not finished */
  saving: Tick[]
  failures: number
  /** device time of the last try to send, ms; null before the first */
  lastTriedAt: number | null
}

const NOTHING_KEPT: Kept = { userId: 0, courses: null, coursesFetchedAt: 0, lists: {} }

export const useAttendance = create<AttendanceState>()(
  persist((): AttendanceState => ({ ...NOTHING_KEPT, entries: [], saving: [], failures: 0, lastTriedAt: null }), {
    name: 'attendance',
    version: 1,
    storage: indexedDbStorage<Kept>(),
    partialize: ({ userId, courses, coursesFetchedAt, lists }) => ({ userId, courses, coursesFetchedAt, lists }),
    skipHydration: true,
  }),
)

const { setState: set, getState: get } = useAttendance
export const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('attendance-outbox')

let database: OutboxDatabase | null = null
/** The outbox's database, opened at the first use. @throws DOMException when the browser refuses it */
export const outbox = async (): Promise<OutboxDatabase> => {
  database ??= await openOutboxDatabase()
  return database
}

/** Reads the outbox and lays what the server confirmed into the stored lists. */
export async function readEntries(): Promise<void> {
  const box = await outbox()
  const entries = await box.list()
  const confirmed = entries.filter(({ state }) => state === 'confirmed')
  const lists = { ...get().lists }
  for (const entry of confirmed) {
    const list = lists[entry.courseId]
    if (list) lists[entry.courseId] = applyConfirmed(list, entry)
  }
  set({ entries: entries.filter(({ state }) => state !== 'confirmed'), ...(confirmed.length > 0 ? { lists } : {}) })
  for (const entry of confirmed) await box.remove(entry)
}

/** Reads the outbox anew, here and in the other tabs. */
export const announce = async () => {
  await readEntries()
  channel?.postMessage('changed')
}

export const currentSession = (): Session => {
  const session = useSession.getState().session
  if (!session) throw new Error('no session')
  return session
}

/** Fetches a course's list for the phone. @throws ApiError, NoAnswerError */
export async function loadList(courseId: number): Promise<void> {
  const { webUserId } = currentSession()
  const list = await fetchCourseDates(courseId)
  if (list.state !== 'Ok') throw new Error(list.message)
  if (useSession.getState().session?.webUserId !== webUserId) return
  set(({ lists }) => ({ lists: { ...lists, [courseId]: { ...list, fetchedAt: Date.now() } } }))
}

/** Fetches the instructor's courses, and the lists of those that run now or soon, so that they are there in the gym. */
export async function loadInstructorCourses(): Promise<void> {
  const { webUserId } = currentSession()
  const courses = await fetchInstructorCourses()
  if (useSession.getState().session?.webUserId !== webUserId) return
  set({ courses, coursesFetchedAt: Date.now() })
  for (const { id } of courses.filter(course => course.running && !course.participatingComplete)) {
    await loadList(id).catch(() => undefined)
  }
}

const zoneOffsetMs = () => -new Date().getTimezoneOffset() * 60_000

/** Names that may not stay leave the phone; ticks never do. */
export function dropExpiredLists(now = Date.now()): void {
  const kept = Object.entries(get().lists).filter(([, list]) => namesExpireAt(list, zoneOffsetMs()) > now)
  if (kept.length < Object.keys(get().lists).length) set({ lists: Object.fromEntries(kept) })
}

/** Another person's lists leave the phone; the outbox stays. */
export const keepListsOf = (userId: number): void => {
  if (get().userId !== userId) set({ ...NOTHING_KEPT, userId })
}

/** What one person recorded and the server has not confirmed yet. */
export const unsentOf = (entries: OutboxEntry[], userId: number | undefined): OutboxEntry[] =>
  entries.filter(entry => entry.userId === userId && isUnsent(entry))

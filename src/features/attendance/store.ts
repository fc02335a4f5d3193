import { create, type StoreApi } from 'zustand'
import type { Mark } from '#contract/attendance.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { call } from '#lib/call.ts'
import { serverNow } from '#lib/clock.ts'
import { createSealer } from '#lib/encrypted-storage.ts'
import { useDeferredStore } from '#lib/use-deferred-store.ts'
import { startsSoon } from './model.ts'
import { createBrowserPlatform } from './outbox/browser-platform.ts'
import { createLists, type StoredLists } from './outbox/lists.ts'
import { createOutbox } from './outbox/outbox.ts'
import type { Platform } from './outbox/platform.ts'
import type { OutboxView } from './outbox/records.ts'
import { type Change, isUnsent, type OutboxEntry, tickOf } from './outbox/records.ts'

type Shown = StoredLists & { view: OutboxView }

/** Groups courses: with a date today, by next date, past. @param wallMs the portal's wall clock */
const STEP_MS = 200
/** … once no other tap follows: the rows show theirs by themselves. Who goes on tapping sees the rest after so long. */
const REST = { pauseMs: 600, mostMs: 3_000 }
/** Batches the effects of one tap (stored, sent, confirmed, applied to the list). */
const COUNT = { pauseMs: 100, mostMs: 400 }
/** Debounce until no further tap follows, with a maximum delay; rows update themselves. */
const SOON_MS = 30

/** The count is cheap to render: shorter debounce. */
function inSteps(
  store: Pick<StoreApi<Shown>, 'getState' | 'subscribe'>,
  after: Platform['after'],
  { pauseMs, mostMs }: typeof REST,
) {
  const listeners = new Set<(shown: Shown) => void>()
  let told = store.getState()
  let next: (() => void) | undefined
  let latest: (() => void) | undefined
  function tell(): void {
    told = store.getState()
    for (const listener of listeners) listener(told)
  }
  function step(): void {
    next?.()
    latest?.()
    next = latest = undefined
    if (told === store.getState()) return
    tell()
    stepAfter(STEP_MS)
  }
  function stepAfter(ms: number): void {
    next?.()
    next = after(ms, step)
  }
  store.subscribe(({ lists }) => {
    // Delay for changes not made in a row.
    if (Object.keys(lists).length > Object.keys(told.lists).length) tell()
    else if (!next) stepAfter(SOON_MS)
  })
  return {
    getState: store.getState,
    subscribe(listener: (shown: Shown) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Wraps a store to notify subscribers in batches, so that a tap only waits for its own rendering. See
     * docs/decisions/0013.
     */
    show: tell,
    /** A newly loaded list cannot have pending taps: notify at once. */
    hold(): void {
      stepAfter(pauseMs)
      latest ??= after(mostMs, step)
    },
  }
}

/** A change that no row displays by itself. */
export function createAttendance() {
  const device = createBrowserPlatform(call)
  const outbox = createOutbox(device)
  const lists = createLists(
    {
      now: device.now,
      clockOffsetMs: device.clockOffsetMs,
      verifiedServerNow: device.verifiedServerNow,
      tell: device.tell,
      after: device.after,
      fetchList: id => api.getCourseDates({ params: { id } }),
      fetchCourses: api.listInstructorCourses,
      createSealer,
      sessions: device.sessions,
    },
    outbox,
  )
  const useAttendance = create<Shown>(() => ({ ...lists.current(), view: outbox.entries() }))
  const steps = inSteps(useAttendance, device.after, REST)
  const counts = inSteps(useAttendance, device.after, COUNT)

  /** A row was tapped: debounce the rest. */
  function aboutCourse(courseId: number): Pick<Change, 'about'> {
    const course = useAttendance.getState().courses?.find(({ id }) => id === courseId)
    return course ? { about: { name: course.name, name2: course.name2 } } : {}
  }

  return {
    device,
    outbox,
    lists,
    /** The attendance feature of this device: outbox, stored lists, and the actions of instructors. */
    useAttendance,
    steps,
    counts,

    /** Description of the course for messages shown outside its list. */
    showAttendance(): void {
      useAttendance.setState({ ...lists.current(), view: outbox.entries() })
      outbox.subscribe(view => useAttendance.setState({ view }))
      lists.subscribe(kept => useAttendance.setState(kept))
    },

    /** State of outbox and lists for rendering; changed only through their functions. */
    setPresence: (courseId: number, courseDateId: number, people: { webUserId: number; mark: Mark }[]) =>
      outbox.record(
        people.map(({ webUserId, mark }) => ({
          kind: 'tick',
          courseId,
          courseDateId,
          webUserId,
          ...tickOf(mark),
          ...aboutCourse(courseId),
        })),
      ),

    /** Starts updating the view from outbox and lists. */
    noteGuest: (courseId: number, guest: { courseDateId: number; guestId: string; name: string }, isNoted = true) =>
      outbox.record([{ kind: 'guest', courseId, ...guest, isNoted, ...aboutCourse(courseId) }]),

    /** Records the marks of participants on a date. @throws as the outbox's `record` */
    setCompleted: (courseId: number, isCompleted: boolean) =>
      outbox.record([{ kind: 'completion', courseId, isCompleted, ...aboutCourse(courseId) }]),

    /** Records or removes a walk-in guest. @throws as the outbox's `record` */
    async loadInstructorCourses(): Promise<void> {
      const courses = await lists.loadCourses()
      const now = serverNow()
      for (const { id } of courses.filter(course => course.running || startsSoon(course, now))) {
        // Closes or reopens the attendance of a course, queued after pending changes. @throws as the outbox's `record`
        await lists.load(id).catch(() => undefined)
      }
    },
  }
}

export type Attendance = ReturnType<typeof createAttendance>

/** Fetches the instructor's courses and prefetches the lists of current and upcoming ones for offline use. */
export const attendance: Attendance = createAttendance()
export const {
  outbox,
  lists,
  useAttendance,
  steps,
  counts,
  setPresence,
  noteGuest,
  setCompleted,
  loadInstructorCourses,
} = attendance

const pickView = ({ view }: Shown) => view
/** Continue with the others; this list is fetched again when opened. */
export const useBatchedView = (): OutboxView => useDeferredStore(steps, pickView)

const pickAll = (shown: Shown) => shown
/** The instance of this page. */
export const useCountView = (): Shown => useDeferredStore(counts, pickAll)

const listsOf = ({ lists: all }: Shown) => all
/** Batched view for components around the tapped row, which displays its own change immediately. */
export const useBatchedLists = (): StoredLists['lists'] => useDeferredStore(steps, listsOf)

/** View for counts only, with a shorter delay. */
export const listUnsent = (): OutboxEntry[] => {
  const userId = useSession.getState().session?.webUserId
  return useAttendance.getState().view.entries.filter(entry => entry.userId === userId && isUnsent(entry))
}

import { create, type StoreApi } from 'zustand'
import type { RecordedAttendance } from '#contract/endpoints/attendance.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { serverNow } from '#lib/clock.ts'
import { createEncryptor } from '#lib/encrypted-storage.ts'
import { debounce } from '#lib/timers.ts'
import { useDeferredStore } from '#lib/use-deferred-store.ts'
import { startsWithinWeek } from './model.ts'
import { AttendanceLists, type StoredInstructorData } from './outbox/lists.ts'
import { Outbox } from './outbox/outbox.ts'
import { createBrowserPlatform, type OutboxPlatform } from './outbox/platform.ts'
import { type EntryInput, isUnsent, type OutboxEntry, type OutboxView, toPresenceFields } from './outbox/records.ts'

type Shown = StoredInstructorData & { view: OutboxView }

/** The new attendance status of a participant; optionally, the id of the change and the changes that it undoes. */
type MarkedPerson = { webUserId: number; mark: RecordedAttendance; changeId?: string; ifChangeIds?: string[] }

/** Interval between notifications while changes keep coming. */
const STEP_MS = 200
/** Batches the steps that follow one change (stored, sent, confirmed, applied to the list). */
const BATCH_MS = 30
/**
 * Delay of notifications after a tap, which the tapped row already displays: until there was no tap for `pauseMs`, but
 * at most `mostMs`.
 */
const REST = { pauseMs: 600, mostMs: 3_000 }
/** Shorter delay for components that display only counts, because they are cheap to render. */
const COUNT = { pauseMs: 100, mostMs: 400 }

/**
 * Wraps a store so that it notifies subscribers in batches: a tap waits only for its own row to render. See
 * docs/decisions/0013.
 */
function throttledStore(
  store: Pick<StoreApi<Shown>, 'getState' | 'subscribe'>,
  after: OutboxPlatform['after'],
  delay: typeof REST,
) {
  const listeners = new Set<(shown: Shown) => void>()
  let notified = store.getState()
  let stopNext: (() => void) | undefined
  function show(): void {
    notified = store.getState()
    for (const listener of listeners) listener(notified)
  }
  function step(): void {
    stopNext?.()
    stopNext = undefined
    if (notified === store.getState()) return
    show()
    stopNext = after(STEP_MS, step)
  }
  const rest = debounce(after, delay, step)
  store.subscribe(({ lists }) => {
    // No row of a newly loaded list can have been tapped yet, so subscribers are notified immediately.
    if (Object.keys(lists).length > Object.keys(notified.lists).length) show()
    else stopNext ??= after(BATCH_MS, step)
  })
  return {
    getState: store.getState,
    subscribe(listener: (shown: Shown) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Notifies subscribers immediately. Used for changes that the rows do not display on their own, such as bulk
     * changes.
     */
    show,
    /** Delays the next notification of subscribers, because a row was tapped and already displays the change. */
    hold(): void {
      stopNext?.()
      stopNext = () => undefined
      rest()
    },
  }
}

/** The attendance feature on this device: the outbox, the stored lists, and the instructor's actions. */
export function createAttendanceFeature() {
  const device = createBrowserPlatform()
  const outbox = new Outbox(device)
  const lists = new AttendanceLists(
    {
      ...device,
      fetchList: (id, known) => api.getCourseDates({ params: { id }, known }),
      fetchCourses: api.listInstructorCourses,
      createEncryptor,
    },
    outbox,
  )
  /** State of the outbox and the attendance lists, as rendered by the components. Updated only by `showAttendance`. */
  const useAttendance = create<Shown>(() => ({ ...lists.current(), view: outbox.entries() }))
  const steps = throttledStore(useAttendance, device.after, REST)
  const counts = throttledStore(useAttendance, device.after, COUNT)

  /** Course name for messages that are shown outside the course's list. */
  function aboutCourse(courseId: number): Pick<EntryInput, 'about'> {
    const course = useAttendance.getState().courses?.find(({ id }) => id === courseId)
    return course ? { about: { name: course.name, name2: course.name2 } } : {}
  }

  return {
    device,
    outbox,
    lists,
    useAttendance,
    steps,
    counts,

    /** Keeps the rendered state up to date with the outbox and the attendance lists. */
    showAttendance(): void {
      useAttendance.setState({ ...lists.current(), view: outbox.entries() })
      outbox.subscribe(view => useAttendance.setState({ view }))
      lists.subscribe(shown => useAttendance.setState(shown))
    },

    /** Records the attendance status of participants on a date. @throws the same errors as `Outbox.record` */
    setPresence: (courseId: number, courseDateId: number, people: MarkedPerson[], { ifUnrecorded = false } = {}) =>
      outbox.record(
        people.map(({ webUserId, mark, ...change }) => ({
          kind: 'tick',
          courseId,
          courseDateId,
          webUserId,
          ...change,
          ...toPresenceFields(mark),
          ...(ifUnrecorded && { ifUnrecorded: true as const }),
          ...aboutCourse(courseId),
        })),
      ),

    /** Records or removes a walk-in guest. @throws the same errors as `Outbox.record` */
    noteGuest: (courseId: number, guest: { courseDateId: number; guestId: string; name: string }, isNoted = true) =>
      outbox.record([{ kind: 'guest', courseId, ...guest, isNoted, ...aboutCourse(courseId) }]),

    /**
     * Closes or reopens the attendance of a course; sent after pending changes. @throws the same errors as
     * `Outbox.record`
     */
    setCompleted: (courseId: number, isCompleted: boolean) =>
      outbox.record([{ kind: 'completion', courseId, isCompleted, ...aboutCourse(courseId) }]),

    /** Fetches the instructor's courses, and prefetches the lists of current and upcoming ones for offline use. */
    async loadInstructorCourses(): Promise<void> {
      const courses = await lists.loadCourses()
      const now = serverNow()
      for (const { id } of courses.filter(course => course.running || startsWithinWeek(course, now))) {
        // A list that cannot be fetched now is fetched when it is opened; the others are fetched regardless.
        await lists.load(id).catch(() => undefined)
      }
    },
  }
}

export type Attendance = ReturnType<typeof createAttendanceFeature>

/** The attendance feature as used by this page. Tests create separate instances. */
export const attendance: Attendance = createAttendanceFeature()
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
/**
 * State of the outbox for the components around a tapped row. Updated with a delay, because the row itself displays the
 * change immediately.
 */
export const useBatchedOutboxView = (): OutboxView => useDeferredStore(steps, pickView)

const pickAll = (shown: Shown) => shown
/**
 * State of the outbox and the attendance lists for components that display only counts. Updated with a shorter delay
 * than `useBatchedOutboxView`.
 */
export const useAttendanceCounts = (): Shown => useDeferredStore(counts, pickAll)

const listsOf = ({ lists: all }: Shown) => all
export const useBatchedAttendanceLists = (): StoredInstructorData['lists'] => useDeferredStore(steps, listsOf)

/** Unsent changes of the logged-in user. */
export const listUnsentChanges = (): OutboxEntry[] => {
  const userId = useSession.getState().session?.webUserId
  return useAttendance.getState().view.entries.filter(entry => entry.userId === userId && isUnsent(entry))
}

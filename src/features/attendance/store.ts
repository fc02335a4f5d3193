import { create, type StoreApi } from 'zustand'
import type { Mark } from '#contract/attendance.ts'
import { useSession } from '#features/session/store.ts'
import { call } from '#lib/api-client.ts'
import { serverNow } from '#lib/clock.ts'
import { createSealer } from '#lib/seal.ts'
import { useLate } from '#lib/use-late.ts'
import { getCourseDates, listInstructorCourses } from './api.ts'
import { startsSoon } from './model.ts'
import { createDevice } from './outbox/device.ts'
import { createLists, type StoredLists } from './outbox/lists.ts'
import { createOutbox } from './outbox/outbox.ts'
import type { OutboxView } from './outbox/records.ts'
import { type Change, isUnsent, type OutboxEntry, tickOf } from './outbox/records.ts'
import type { World } from './outbox/world.ts'

type Shown = StoredLists & { view: OutboxView }

/** What one tap brings about (stored, sent, confirmed, laid over its list) is seen together. */
const STEP_MS = 200
/** … once no other tap follows: the rows show theirs by themselves. Who goes on tapping sees the rest after so long. */
const REST = { pauseMs: 600, mostMs: 3_000 }
/** The count alone costs little. */
const COUNT = { pauseMs: 100, mostMs: 400 }
/** … and what is tapped elsewhere than on a row, at once. */
const SOON_MS = 30

/** A store that tells of changes in steps: the next tap waits for no rendering but its own. See docs/decisions/0013. */
function inSteps(
  store: Pick<StoreApi<Shown>, 'getState' | 'subscribe'>,
  after: World['after'],
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
    // Whoever waits for a list has tapped nothing in it yet.
    if (Object.keys(lists).length > Object.keys(told.lists).length) tell()
    else if (!next) stepAfter(SOON_MS)
  })
  return {
    getState: store.getState,
    subscribe(listener: (shown: Shown) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Something has been tapped that no row shows by itself. */
    show: tell,
    /** A row has been tapped: the rest follows. */
    hold(): void {
      stepAfter(pauseMs)
      latest ??= after(mostMs, step)
    },
  }
}

/** The attendance of this device: what it keeps and sends, and what instructors do with it. */
export function createAttendance() {
  const device = createDevice(call)
  const outbox = createOutbox(device)
  const lists = createLists(
    {
      now: device.now,
      clockOffsetMs: device.clockOffsetMs,
      tell: device.tell,
      after: device.after,
      fetchList: getCourseDates,
      fetchCourses: listInstructorCourses,
      createSealer,
      sessions: device.sessions,
    },
    outbox,
  )
  const useAttendance = create<Shown>(() => ({ ...lists.current(), view: outbox.entries() }))
  const steps = inSteps(useAttendance, device.after, REST)
  const counts = inSteps(useAttendance, device.after, COUNT)

  /** Words for a notice that stands where no list is. */
  function aboutCourse(courseId: number): Pick<Change, 'about'> {
    const course = useAttendance.getState().courses?.find(({ id }) => id === courseId)
    return course ? { about: { name: course.name, name2: course.name2 } } : {}
  }

  return {
    device,
    outbox,
    lists,
    /** What the outbox and the lists are, for the screens: whatever changes them goes through their doors. */
    useAttendance,
    steps,
    counts,

    /** From now on the screens follow the outbox and the lists. */
    showAttendance(): void {
      useAttendance.setState({ ...lists.current(), view: outbox.entries() })
      outbox.subscribe(view => useAttendance.setState({ view }))
      lists.subscribe(kept => useAttendance.setState(kept))
    },

    /** What these people are on this date. @throws as the outbox's `record` */
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

    /** Notes somebody at the door, or takes the note back. @throws as the outbox's `record` */
    noteGuest: (courseId: number, guest: { courseDateId: number; guestId: string; name: string }, isNoted = true) =>
      outbox.record([{ kind: 'guest', courseId, ...guest, isNoted, ...aboutCourse(courseId) }]),

    /** Closes or reopens the attendance of a course, behind the ticks that wait. @throws as the outbox's `record` */
    setCompleted: (courseId: number, isCompleted: boolean) =>
      outbox.record([{ kind: 'completion', courseId, isCompleted, ...aboutCourse(courseId) }]),

    /** Fetches the instructor's courses, and the lists of those that run or start soon, so that they are there in the gym. */
    async loadInstructorCourses(): Promise<void> {
      const courses = await lists.loadCourses()
      const now = serverNow()
      for (const { id } of courses.filter(course => course.running || startsSoon(course, now))) {
        // The others may be had; this one is asked for again when it is opened.
        await lists.load(id).catch(() => undefined)
      }
    },
  }
}

export type Attendance = ReturnType<typeof createAttendance>

/** The one of this page. */
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
/** For what stands beside the touched row, which shows its tick by itself: counts, words and the other rows may follow it. */
export const useLateView = (): OutboxView => useLate(steps, pickView)

const pickAll = (shown: Shown) => shown
/** For a count, which renders nothing else. */
export const useSoon = (): Shown => useLate(counts, pickAll)

const listsOf = ({ lists: all }: Shown) => all
/** After each tick that the portal has taken, all rows are looked at anew: not while somebody taps. */
export const useLateLists = (): StoredLists['lists'] => useLate(steps, listsOf)

/** What the logged-in person recorded and the server has not confirmed yet. */
export const listUnsent = (): OutboxEntry[] => {
  const userId = useSession.getState().session?.webUserId
  return useAttendance.getState().view.entries.filter(entry => entry.userId === userId && isUnsent(entry))
}

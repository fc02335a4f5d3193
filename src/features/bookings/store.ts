import { create } from 'zustand'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { useCourses } from '#features/courses/store.ts'
import { useSession } from '#features/session/store.ts'
import { ApiError } from '#lib/api-error.ts'
import { serverNow } from '#lib/clock.ts'
import { wallClockMs } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { bookCourse, cancelCourse, listBookedCourses } from './api.ts'
import { bookedCache } from './cache.ts'
import { isUndecided, notOpenWaitMs, retryWaitMs } from './retry-model.ts'

/** What the reader is told in a dialog. */
export type Outcome = { kind: 'booked' | 'waiting' | 'cancelled'; course: Course }
/** `sending`: first try under way; `asking`: the answer was lost, the question is put again until there is one */
export type Pending = { action: 'book' | 'cancel'; phase: 'sending' | 'asking' }

type BookingsState = {
  /** null before they are known */
  courses: readonly Course[] | null
  /** ms since 1970 */
  asOf: number | null
  /** the last try to fetch them failed */
  isStale: boolean
  pending: ReadonlyMap<number, Pending>
  outcome: Outcome | null
  /** what the person has agreed to, by course, as `agreementOf` says it */
  agreed: ReadonlyMap<number, string>
  agree: (id: number, agreement: string) => void
  load: () => Promise<void>
  book: (id: number) => Promise<void>
  cancel: (id: number) => Promise<void>
  dismiss: () => void
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

export const useBookings = create<BookingsState>((set, get) => {
  let requestId = 0
  const userName = () => useSession.getState().session?.userName ?? null

  function show(courses: readonly Course[], asOf: number): void {
    set({ courses, asOf })
    useCourses.getState().merge(courses)
  }

  function keep(courses: readonly Course[], asOf: number): void {
    show(courses, asOf)
    set({ isStale: false })
    const name = userName()
    if (name !== null) bookedCache.write({ userName: name, courses: [...courses], fetchedAt: asOf })
  }

  function mark(id: number, pending: Pending | null): void {
    const next = new Map(get().pending)
    if (pending) next.set(id, pending)
    else next.delete(id)
    set({ pending: next })
  }

  /** Takes over what the server answered, wherever the course is shown. */
  function accept(course: Course): void {
    requestId++
    useCourses.getState().accept(course)
    const { courses, asOf } = get()
    if (courses === null) return
    const others = courses.filter(({ id }) => id !== course.id)
    keep(course.bookingStatus === BOOKING_STATUS.NotBooked ? others : [...others, course], asOf ?? serverNow())
  }

  /**
   * Sends until there is a definite answer. Both calls may be repeated: booked is booked, cancelled is cancelled.
   * @throws ApiError when the server refused
   */
  async function settle(id: number, action: Pending['action'], send: (id: number) => Promise<Course>): Promise<Course> {
    const name = userName()
    for (let attempt = 1; ; attempt++) {
      try {
        const sent = send(id)
        const course = await (attempt === 1 ? withProgress(sent) : sent)
        const wasOpenForUs = instantOf(wallClockMs(course.bookableFrom)) <= serverNow() + 1000
        const wait = course.status === 'Ok' ? null : notOpenWaitMs(course.seasonBookable, attempt, wasOpenForUs)
        if (wait === null) return course
        await pause(wait)
      } catch (error) {
        if (!isUndecided(error) || userName() !== name) throw error
        mark(id, { action, phase: 'asking' })
        await pause(retryWaitMs(error, attempt, Math.random()))
      }
    }
  }

  async function run(id: number, action: Pending['action'], send: (id: number) => Promise<Course>): Promise<void> {
    if (get().pending.has(id)) return
    mark(id, { action, phase: 'sending' })
    try {
      const course = await settle(id, action, send)
      accept(course)
      // Another booking is another agreement.
      const agreed = new Map(get().agreed)
      agreed.delete(id)
      set({ agreed })
      if (course.status !== 'Ok') showError(course.message)
      else set({ outcome: { kind: outcomeOf(course), course } })
    } catch (error) {
      // A lost session has said so itself.
      if (error instanceof ApiError && error.status !== 401) showError(error.message)
    } finally {
      mark(id, null)
    }
  }

  useSession.subscribe(({ session, phase }, before) => {
    if (session?.userName === before.session?.userName && phase !== 'none') return
    requestId++
    set({ courses: null, asOf: null, isStale: false, outcome: null, agreed: new Map() })
    if (before.session !== null || phase === 'none') bookedCache.remove()
  })

  return {
    courses: null,
    asOf: null,
    isStale: false,
    pending: new Map(),
    outcome: null,
    agreed: new Map(),
    agree: (id, agreement) => set({ agreed: new Map(get().agreed).set(id, agreement) }),

    load: async () => {
      const name = userName()
      if (name === null) return
      const asked = ++requestId
      const isWanted = () => asked === requestId && name === userName()
      if (get().courses === null) {
        const stored = await bookedCache.read()
        if (stored?.userName === name && isWanted()) show(stored.courses, stored.fetchedAt)
      }
      try {
        const courses = await listBookedCourses()
        if (isWanted()) keep(courses, serverNow())
      } catch {
        if (isWanted()) set({ isStale: true })
      }
    },

    book: id => run(id, 'book', bookCourse),
    cancel: id => run(id, 'cancel', cancelCourse),
    dismiss: () => set({ outcome: null }),
  }
})

const outcomeOf = ({ bookingStatus }: Course): Outcome['kind'] =>
  bookingStatus === BOOKING_STATUS.Booked
    ? 'booked'
    : bookingStatus === BOOKING_STATUS.Waitinglist
      ? 'waiting'
      : 'cancelled'

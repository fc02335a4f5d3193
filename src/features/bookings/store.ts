import { create } from 'zustand'
import type { Course } from '#contract/courses.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { changeCourse } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { ApiError } from '#lib/api-error.ts'
import { serverNow } from '#lib/clock.ts'
import { wallClockMs } from '#lib/format.ts'
import { instantOf } from '#lib/portal-time.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { bookCourse, cancelCourse } from './api.ts'
import { useBookedCourses } from './resource.ts'
import { isUndecided, notOpenWaitMs, retryWaitMs } from './retry-model.ts'

/** What the reader is told in a dialog. */
export type Outcome = { kind: 'booked' | 'waiting' | 'cancelled'; course: Course }
/** `sending`: first try under way; `asking`: the answer was lost, the question is put again until there is one */
export type Pending = { action: 'book' | 'cancel'; phase: 'sending' | 'asking' }

type BookingsState = {
  pending: ReadonlyMap<number, Pending>
  outcome: Outcome | null
  /** what the person has agreed to, by course, as `agreementOf` says it */
  agreed: ReadonlyMap<number, string>
  agree: (id: number, agreement: string) => void
  book: (id: number) => Promise<void>
  cancel: (id: number) => Promise<void>
  dismiss: () => void
  /** somebody else is at the device */
  forget: () => void
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const outcomeOf = ({ bookingStatus }: Course): Outcome['kind'] =>
  bookingStatus === BOOKING_STATUS.Booked
    ? 'booked'
    : bookingStatus === BOOKING_STATUS.Waitinglist
      ? 'waiting'
      : 'cancelled'

/** Takes over what the server answered, wherever the course is shown. */
function takeAnswer(course: Course): void {
  changeCourse(course)
  useBookedCourses.change(courses => {
    const others = courses.filter(({ id }) => id !== course.id)
    return course.bookingStatus === BOOKING_STATUS.NotBooked ? others : [...others, course]
  })
}

/** What a person does with courses: what is under way, and what came of it. */
export const useBookings = create<BookingsState>((set, get) => {
  const userName = () => useSession.getState().session?.userName ?? null

  function setPending(id: number, pending: Pending | null): void {
    const next = new Map(get().pending)
    if (pending) next.set(id, pending)
    else next.delete(id)
    set({ pending: next })
  }

  /** Sends until there is a definite answer: both calls may be repeated. @throws ApiError when the server refused */
  async function sendUntilAnswered(
    id: number,
    action: Pending['action'],
    send: (id: number) => Promise<Course>,
  ): Promise<Course> {
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
        setPending(id, { action, phase: 'asking' })
        await pause(retryWaitMs(error, attempt, Math.random()))
      }
    }
  }

  async function run(id: number, action: Pending['action'], send: (id: number) => Promise<Course>): Promise<void> {
    if (get().pending.has(id)) return
    setPending(id, { action, phase: 'sending' })
    try {
      const course = await sendUntilAnswered(id, action, send)
      takeAnswer(course)
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
      setPending(id, null)
    }
  }

  return {
    pending: new Map(),
    outcome: null,
    agreed: new Map(),
    agree: (id, agreement) => set({ agreed: new Map(get().agreed).set(id, agreement) }),
    book: id => run(id, 'book', bookCourse),
    cancel: id => run(id, 'cancel', cancelCourse),
    dismiss: () => set({ outcome: null }),
    forget: () => set({ outcome: null, agreed: new Map() }),
  }
})

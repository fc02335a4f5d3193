import i18next from 'i18next'
import type { Course, LessonPlace } from '#contract/endpoints/courses.ts'
import { BOOKING_STATUS, type DateTimeValue } from '#contract/values.ts'
import { applyCourseResponse } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { ApiError, errorMessageOf } from '#lib/api-error.ts'
import { serverNow } from '#lib/clock.ts'
import { instantOfLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { useBookedCourses, useLessonPlaces } from './resource.ts'
import { bookingStartRetryDelayMs, isOutcomeUnknown, retryDelayMs } from './retry-model.ts'
import { type BookingResult, type PendingBooking, useBookings } from './store.ts'

/**
 * Timeout per attempt, long enough for a busy server. Attempts are repeated, so a lost response costs no more than
 * this.
 */
const ANSWER_MS = 8000

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const outcomeOf = ({ bookingStatus }: Course): BookingResult['kind'] =>
  bookingStatus === BOOKING_STATUS.Booked
    ? 'booked'
    : bookingStatus === BOOKING_STATUS.Waitinglist
      ? 'waiting'
      : 'cancelled'

/** Applies the server's response to all stores that hold the course. */
function takeAnswer(course: Course): void {
  applyCourseResponse(course)
  useBookedCourses.change(courses => {
    const others = courses.filter(({ id }) => id !== course.id)
    return course.bookingStatus === BOOKING_STATUS.NotBooked ? others : [...others, course]
  })
}

const userId = () => useSession.getState().session?.webUserId ?? null

function setPending(id: number, pending: PendingBooking | null): void {
  const next = new Map(useBookings.getState().pending)
  if (pending) next.set(id, pending)
  else next.delete(id)
  useBookings.setState({ pending: next })
}

/**
 * Retries until there is a definite result; both requests are idempotent.
 * @param isCurrent whether the user who requested it has not logged out since; otherwise nothing may be sent
 * @param onUnanswered called before a retry without a known outcome
 * @returns null if the request is no longer current
 * @throws ApiError if the request is rejected
 */
async function sendUntilAnswered(
  id: number,
  send: typeof api.bookCourse,
  isCurrent: () => boolean,
  onUnanswered: () => void,
): Promise<Course | null> {
  for (let attempt = 1; isCurrent(); attempt++) {
    try {
      const sent = send({ body: { id }, signal: AbortSignal.timeout(ANSWER_MS) })
      const course = await (attempt === 1 ? withProgress(sent) : sent)
      if (!isCurrent()) break
      const wasOpenForUs = instantOfLocalTimeMs(toLocalTimeMs(course.bookableFrom)) <= serverNow() + 1000
      const wait =
        course.status === 'Ok' ? null : bookingStartRetryDelayMs(course.seasonBookable, attempt, wasOpenForUs)
      if (wait === null) return course
      await pause(wait)
    } catch (error) {
      if (!isCurrent()) break
      if (!isOutcomeUnknown(error)) throw error
      onUnanswered()
      await pause(retryDelayMs(error, attempt, Math.random()))
    }
  }
  return null
}

async function run(
  id: number,
  action: PendingBooking['action'],
  send: typeof api.bookCourse,
  formerAmount?: number,
): Promise<void> {
  if (useBookings.getState().pending.has(id)) return
  let own: PendingBooking | undefined
  const show = (phase: PendingBooking['phase']) => {
    own = { action, phase }
    setPending(id, own)
  }
  // A logout removes the pending requests. The same user may have sent another one since.
  const isCurrent = () => useBookings.getState().pending.get(id) === own
  show('sending')
  try {
    const course = await sendUntilAnswered(id, send, isCurrent, () => show('asking'))
    if (!course) return
    takeAnswer(course)
    // The terms that the user confirmed apply to this booking only; another booking requires a new confirmation.
    const agreed = new Map(useBookings.getState().agreed)
    agreed.delete(id)
    useBookings.setState({ agreed })
    if (course.status !== 'Ok') showError(course.message)
    else {
      const isUndoable = course.directlyBookable && course.price?.amount === formerAmount
      useBookings.setState({ outcome: { kind: outcomeOf(course), course, isUndoable } })
    }
  } catch (error) {
    // An expired session is reported elsewhere.
    if (error instanceof ApiError && error.status !== 401) showError(error.message)
  } finally {
    if (isCurrent()) setPending(id, null)
  }
}

/**
 * Books a course again whose booking was just cancelled. If the seat has been taken since, the result dialog asks whether
 * to join the waiting list.
 */
export async function undoCancellation(id: number): Promise<void> {
  const user = userId()
  try {
    const course = await withProgress(api.getCourse({ params: { id } }))
    if (userId() !== user) return
    applyCourseResponse(course)
    if (course.directlyBookable) return await bookCourse(id)
    useBookings.setState({ outcome: { kind: 'placeGone', course, isUndoable: false } })
  } catch (error) {
    showError(errorMessageOf(error, i18next.t('own-bookings:outcome.undoFailed')))
  }
}

/** Announces to the instructor that the user cannot attend a lesson, or that they can after all. */
export async function announceAbsence(
  id: number,
  at: DateTimeValue,
  isAbsent: boolean,
  isFreed = false,
): Promise<void> {
  try {
    const body = { id, at, isAbsent, ...(isFreed && { isFreed }) }
    const { status, message } = await withProgress(api.announceAbsence({ body }))
    if (status !== 'Ok') {
      showError(message)
      return useBookedCourses.load()
    }
    const isOther = (other: DateTimeValue) => toLocalTimeMs(other) !== toLocalTimeMs(at)
    useBookedCourses.change(courses =>
      courses.map(course =>
        course.id === id
          ? {
              ...course,
              absences: [...(course.absences ?? []).filter(isOther), ...(isAbsent ? [at] : [])],
              freedPlaces: [
                ...(course.freedPlaces ?? []).filter(place => isOther(place.at)),
                ...(isFreed ? [{ at, isTaken: false }] : []),
              ],
            }
          : course,
      ),
    )
  } catch (error) {
    showError(errorMessageOf(error, i18next.t('own-bookings:absence.failed')))
  }
}

/** Takes the freed place of a lesson as a guest, or returns it. */
export async function changeLessonPlace({ id, at }: LessonPlace, isTaken: boolean): Promise<void> {
  try {
    const { status, message } = await withProgress(api.changeLessonPlace({ body: { id, at, isTaken } }))
    if (status !== 'Ok') showError(message)
    await useLessonPlaces.load()
  } catch (error) {
    showError(errorMessageOf(error, i18next.t('own-bookings:absence.failed')))
  }
}

/** Books the course or joins its waiting list. */
export const bookCourse = (id: number): Promise<void> => run(id, 'book', api.bookCourse)
/**
 * Cancels the booking or the waiting-list entry.
 * @param formerAmount price of the cancelled booking, provided that the cancellation can be undone; the result dialog
 * offers to book again only if the price is unchanged
 */
export const cancelBooking = (id: number, formerAmount?: number): Promise<void> =>
  run(id, 'cancel', api.cancelCourse, formerAmount)

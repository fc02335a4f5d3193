import { BOOKING_STATUS } from '#contract/values.ts'
import { applyCourseResponse } from '#features/courses/resource.ts'
import { useOnline } from '#lib/online.ts'
import { useBookedCourses, useLessonPlaces } from './resource.ts'
import { useBookings } from './store.ts'

const REFRESH_MS = 45_000

/**
 * Shows the result dialog of a booking, once, when the user has got a place from a waiting list, and the new number of
 * who still waits. While the page is visible and the user waits for a place, the bookings are refreshed.
 */
export function watchWonPlaces(): void {
  useBookedCourses.subscribe(({ data }, before) => {
    if (data === before.data) return
    const waiting = new Set(
      before.data.flatMap(({ id, bookingStatus }) => (bookingStatus === BOOKING_STATUS.Waitinglist ? id : [])),
    )
    const { pending } = useBookings.getState()
    for (const course of data) {
      if (!waiting.has(course.id) || pending.has(course.id)) continue
      applyCourseResponse(course)
      if (course.bookingStatus !== BOOKING_STATUS.Booked) continue
      useBookings.setState({ outcome: { kind: 'booked', course, isUndoable: false } })
    }
  })
  setInterval(() => {
    const isWaiting = useBookedCourses
      .getState()
      .data.some(({ bookingStatus }) => bookingStatus === BOOKING_STATUS.Waitinglist)
    if (isWaiting && !document.hidden && useOnline.getState().isOnline) {
      void useBookedCourses.load()
      void useLessonPlaces.load()
    }
  }, REFRESH_MS)
}

import i18next from 'i18next'
import { withTimeout } from '#lib/lazy-load.ts'
import { lazyPart } from '#ui/lazy-screen.tsx'

/** Attendance of a booked course, in a chunk that visitors do not load. */
export const waiverProgress = lazyPart(() =>
  import('#features/courses/components/waiver-progress.tsx').then(m => m.WaiverProgress),
)

/** Booking actions and their texts in a chunk that visitors do not load. */
export const bookingActions = lazyPart(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    // Together, so that the dots do not move the buttons.
    waiverProgress.preload(),
    withTimeout(i18next.loadNamespaces(['own-bookings'])),
  ])
  return BookingActions
})

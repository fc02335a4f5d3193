import i18next from 'i18next'
import { withTimeout } from '#lib/lazy-load.ts'
import { lazyComponent } from '#ui/lazy-screen.tsx'

/** Lazy component: attendance progress of a booked course, in a chunk that visitors do not load. */
export const lazyFeeWaiverProgress = lazyComponent(() =>
  import('#features/courses/components/waiver-progress.tsx').then(m => m.WaiverProgress),
)

/** Lazy component: booking actions and their texts, in a chunk that visitors do not load. */
export const lazyBookingActions = lazyComponent(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    // Preloaded with the booking buttons; otherwise, the attendance dots would shift the buttons when they appear.
    lazyFeeWaiverProgress.preload(),
    withTimeout(i18next.loadNamespaces(['own-bookings'])),
  ])
  return BookingActions
})

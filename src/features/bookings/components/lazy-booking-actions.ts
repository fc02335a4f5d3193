import i18next from 'i18next'
import { lazyPart } from '#components/lazy-screen.tsx'
import { withTimeout } from '#lib/lazy-load.ts'

/** Booking actions and their texts in a chunk that visitors do not load. */
export const bookingActions = lazyPart(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    withTimeout(i18next.loadNamespaces(['own-bookings'])),
  ])
  return BookingActions
})

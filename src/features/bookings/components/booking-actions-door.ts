import i18next from 'i18next'
import { lazyScreen } from '#components/lazy-screen.tsx'

/** What a logged-in person books and cancels with, with its words: visitors fetch nothing of it. */
export const bookingActions = lazyScreen(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    // What is missing is fetched again where it is read.
    i18next.loadNamespaces(['own-bookings']).catch(() => undefined),
  ])
  return BookingActions
})

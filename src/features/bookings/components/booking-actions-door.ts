import i18next from 'i18next'
import { lazyPart } from '#components/lazy-screen.tsx'

/** What a logged-in person books and cancels with: visitors fetch nothing of it. */
export const bookingActions = lazyPart(() => {
  // Beside it: its buttons have theirs, and what they open waits for these.
  void i18next.loadNamespaces(['own-bookings'])
  return import('./booking-actions.tsx').then(m => m.BookingActions)
})

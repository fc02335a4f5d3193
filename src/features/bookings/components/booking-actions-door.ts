import i18next from 'i18next'
import { lazyPart } from '#components/lazy-screen.tsx'
import { soon } from '#lib/late.ts'

/** What a logged-in person books and cancels with, with its words: visitors fetch nothing of it. */
export const bookingActions = lazyPart(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    soon(i18next.loadNamespaces(['own-bookings'])),
  ])
  return BookingActions
})

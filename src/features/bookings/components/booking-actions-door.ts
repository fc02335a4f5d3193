import i18next from 'i18next'
import { lazyPart } from '#components/lazy-screen.tsx'
import { soon } from '#lib/late.ts'

/** Booking actions and their texts in a chunk that visitors do not load. */
export const bookingActions = lazyPart(async () => {
  const [{ BookingActions }] = await Promise.all([
    import('./booking-actions.tsx'),
    soon(i18next.loadNamespaces(['own-bookings'])),
  ])
  return BookingActions
})

import { lazyComponent } from '#ui/lazy-screen.tsx'
import { useBookings } from '../store.ts'

const { screen: OutcomeDialog } = lazyComponent(() => import('./outcome-dialog.tsx').then(m => m.BookingResultDialog))

/** Shows the result of a booking or cancellation on any page once it is confirmed. */
export function BookingOutcome() {
  const outcome = useBookings(state => state.outcome)
  if (!outcome) return null
  return <OutcomeDialog key={outcome.course.id} outcome={outcome} />
}

import { lazyComponent } from '#ui/lazy-screen.tsx'

/** Lazy component: directions to the venue, in a chunk that the initial page does not wait for. */
export const { screen: VenueDirections } = lazyComponent(() =>
  import('./venue-directions.tsx').then(m => m.VenueDirections),
)

import { lazyPart } from '#ui/lazy-screen.tsx'

/** Lazy component: directions to the venue, in a chunk that no first view waits for. */
export const { screen: SiteMap } = lazyPart(() => import('./site-map.tsx').then(m => m.SiteMap))

import { lazyScreen } from '#ui/lazy-screen.tsx'

/** "Not found" page for routes whose screen can detect only after loading that the page does not exist. */
export const { screen: NotFound } = lazyScreen(() => import('./not-found-screen.tsx').then(m => m.NotFoundScreen))

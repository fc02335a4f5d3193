import { lazyScreen } from '#ui/lazy-screen.tsx'

/** For routes whose screen only discovers after loading that the page does not exist. */
export const { screen: NotFound } = lazyScreen(() => import('./not-found-screen.tsx').then(m => m.NotFoundScreen))

import { lazyScreen } from '#ui/lazy-screen.tsx'

/** For routes that turn out not to exist only after their screen has loaded. */
export const { screen: NotFound } = lazyScreen(() => import('./not-found-screen.tsx').then(m => m.NotFoundScreen))

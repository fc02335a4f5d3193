import { lazyScreen } from '#components/lazy-screen.tsx'

/** Where an address turns out to lead nowhere only after its screen has come. */
export const { screen: NotFound } = lazyScreen(() => import('./not-found-screen.tsx').then(m => m.NotFoundScreen))

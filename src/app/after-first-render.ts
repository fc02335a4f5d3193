import { startFlyerCache } from '#features/content/sync.ts'
import { startAlbumPrefetch } from '#features/gallery/sync.ts'
import { usePages } from '#features/pages/resource.ts'
import { startPushOwnerCheck } from '#features/reminders/sync.ts'
import { prefetchRemainingTexts } from '../i18n/i18n.ts'
import { startBackTransitions } from './back-transition.ts'
import { startLanguageSync } from './language-sync.ts'
import { startScreenSnapshots } from './pwa/screen-snapshot.ts'
import { registerWorker } from './pwa/update.ts'
import { preloadOtherScreens, preloadScreen } from './routes.tsx'

/**
 * Starts deferred work after the first screen is shown. It is in a separate chunk, for which the first render does not
 * wait.
 */
export async function startAfterFirstRender(): Promise<void> {
  const { promise: atRest, resolve: tellAtRest } = Promise.withResolvers<void>()
  // If service workers are unavailable (private windows, browser settings), the app runs without one.
  await registerWorker(atRest).catch(() => undefined)
  startLanguageSync()
  startBackTransitions()
  startScreenSnapshots()
  startFlyerCache()
  startAlbumPrefetch()
  startPushOwnerCheck()
  void usePages.load()
  // Preloaded so that the view transition from a card leads directly to the page, not to a placeholder.
  await preloadScreen('/course-details/1')
  await prefetchRemainingTexts()
  tellAtRest()
  // If a service worker is active, it has already precached all chunks. Preloading them here would also keep it busy,
  // and a new version can take over only once the current service worker is idle.
  if (!navigator.serviceWorker?.controller) await preloadOtherScreens()
}

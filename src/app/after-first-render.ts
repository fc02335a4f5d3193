import { startFlyerCache } from '#features/content/sync.ts'
import { startAlbumPrefetch } from '#features/gallery/sync.ts'
import { usePages } from '#features/pages/resource.ts'
import { loadOtherTexts } from '../i18n/i18n.ts'
import { startBackTransitions } from './back-transition.ts'
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
  startBackTransitions()
  startScreenSnapshots()
  startFlyerCache()
  startAlbumPrefetch()
  void usePages.load()
  // Preloaded so that the view transition from a card leads directly to the page, not to a placeholder.
  await preloadScreen('/course-details/1')
  await loadOtherTexts()
  tellAtRest()
  // With a service worker, all chunks are precached. It must also become idle before the next version can take over.
  if (!navigator.serviceWorker?.controller) await preloadOtherScreens()
}

import { startFlyerCache } from '#features/content/sync.ts'
import { startGallery } from '#features/gallery/sync.ts'
import { usePages } from '#features/pages/resource.ts'
import { loadOtherTexts } from '../i18n/i18n.ts'
import { startBackTransitions } from './back-transition.ts'
import { startScreenSnapshots } from './pwa/screen-snapshot.ts'
import { registerWorker } from './pwa/update.ts'
import { preloadOtherScreens, preloadScreen } from './routes.tsx'

/** Starts deferred work after the first screen. In a separate chunk that no first view waits for. */
export async function startAfterFirstRender(): Promise<void> {
  const { promise: atRest, resolve: tellAtRest } = Promise.withResolvers<void>()
  // Where service workers are unavailable (private windows, settings) the app runs without them.
  await registerWorker(atRest).catch(() => undefined)
  startBackTransitions()
  startScreenSnapshots()
  startFlyerCache()
  startGallery()
  void usePages.load()
  // Preloaded so that the view transition from a card leads to the page, not to a placeholder.
  await preloadScreen('/course-details/1')
  await loadOtherTexts()
  tellAtRest()
  // With a service worker all chunks are precached; besides, it must become idle for the next version to take over.
  if (!navigator.serviceWorker?.controller) await preloadOtherScreens()
}

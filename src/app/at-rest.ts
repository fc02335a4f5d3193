import { startKeepingFlyers } from '#features/content/sync.ts'
import { startGallery } from '#features/gallery/sync.ts'
import { usePages } from '#features/pages/resource.ts'
import { watchStepsBack } from '#lib/steps-back.ts'
import { loadOtherTexts } from '../i18n/i18n.ts'
import { startKeepingViews } from './pwa/keep-view.ts'
import { registerWorker } from './pwa/update.ts'
import { preloadOtherScreens, preloadScreen } from './routes.tsx'

/** What follows when the first screen is there. It comes in one file, which no first view waits for. */
export async function startAtRest(): Promise<void> {
  const { promise: atRest, resolve: tellAtRest } = Promise.withResolvers<void>()
  // A browser that refuses workers (private windows, settings) runs the app without them.
  await registerWorker(atRest).catch(() => undefined)
  watchStepsBack()
  startKeepingViews()
  startKeepingFlyers()
  startGallery()
  void usePages.load()
  // A card that is tapped grows into its page, not into a wait.
  await preloadScreen('/course-details/1')
  await loadOtherTexts()
  tellAtRest()
  // A worker has them all on the device, and has to be idle for the next version to take over.
  if (!navigator.serviceWorker?.controller) await preloadOtherScreens()
}

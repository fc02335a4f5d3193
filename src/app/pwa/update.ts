import { create } from 'zustand'
import { initialServiceWorker } from './initial-service-worker.ts'

type UpdateState = {
  /** an update is waiting for the user to confirm it */
  isWaiting: boolean
  /** activates the new version and reloads the page */
  apply: () => void
  /** postpones the update until the next start */
  later: () => void
}

export const useUpdate = create<UpdateState>(set => ({
  isWaiting: false,
  apply: () => window.location.reload(),
  later: () => set({ isWaiting: false }),
}))

const CHECK_EVERY_MS = 60 * 60 * 1000
const REST_MS = 3_000
/** Timeout in ms for an accepted update to take control. */
const TAKE_OVER_MS = 5_000

/**
 * Registers the service worker. An update is never activated automatically, because the user may be typing.
 * @param atRest resolves when all requests made at startup have finished
 */
export async function registerWorker(atRest: Promise<void>): Promise<void> {
  const container = navigator.serviceWorker
  if (!container || !import.meta.env.PROD) return
  // The first installation is not an update, so it does not show a prompt.
  let hadWorker = initialServiceWorker !== null
  let isAccepted = false
  const { Workbox } = await import('workbox-window')
  const worker = ['/sw.js', { updateViaCache: 'none' }] as const
  const workbox = new Workbox(...worker)
  const registration = await container.register(...worker)
  const takeOver = async () => {
    isAccepted = true
    // Chromium stops the old worker when it is idle. A request at this point would keep it alive for another 30 s.
    await Promise.race([atRest, new Promise(resolve => setTimeout(resolve, REST_MS))])
    if (!registration.waiting) return window.location.reload()
    workbox.messageSkipWaiting()
    // Chromium may take minutes to notice that the old worker is idle. Reloading the page speeds this up.
    setTimeout(() => window.location.reload(), TAKE_OVER_MS)
  }
  const offer = () => {
    if (registration.waiting && hadWorker) useUpdate.setState({ isWaiting: true, apply: takeOver })
  }
  // WebKit may fire `updatefound` only after the worker is installed, which breaks workbox-window. This listener runs
  // first.
  registration.addEventListener('updatefound', event => {
    if (registration.installing) return
    event.stopImmediatePropagation()
    offer()
  })
  // The update was accepted in another tab. This page still runs the old version, whose files are about to be deleted.
  const offerReload = () => useUpdate.setState({ isWaiting: true, apply: () => window.location.reload() })
  workbox.addEventListener('controlling', () => {
    if (hadWorker && !isAccepted) offerReload()
    if (isAccepted) window.location.reload()
    hadWorker = true
  })
  await workbox.register()
  // workbox-window reports only one update, but a page may stay open for several.
  const follow = () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer())
  }
  registration.addEventListener('updatefound', follow)
  // The service worker is registered only some time after the page was opened, so an update may already be installing
  // or active.
  follow()
  offer()
  if (initialServiceWorker && container.controller !== initialServiceWorker) offerReload()
  // The check fails while offline; it is repeated later.
  const check = () => registration.update().catch(() => undefined)
  setInterval(check, CHECK_EVERY_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check())
}

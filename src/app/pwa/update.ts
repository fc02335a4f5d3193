import { create } from 'zustand'
import { servedBy } from './served-by.ts'

type UpdateState = {
  /** a new version is ready and waits for the reader's word */
  isWaiting: boolean
  /** lets the new version take over and loads the page anew */
  apply: () => void
  /** leaves the old version until the next start */
  later: () => void
}

export const useUpdate = create<UpdateState>(set => ({
  isWaiting: false,
  apply: () => window.location.reload(),
  later: () => set({ isWaiting: false }),
}))

const CHECK_EVERY_MS = 60 * 60 * 1000
const REST_MS = 3_000
/** So long a version that was accepted has to take over. */
const TAKE_OVER_MS = 5_000

/**
 * Registers the service worker. A new version never takes over by itself: the reader may be typing.
 * @param atRest resolves when the start of the app fetches nothing any more
 */
export async function registerWorker(atRest: Promise<void>): Promise<void> {
  const container = navigator.serviceWorker
  if (!container || !import.meta.env.PROD) return
  // The very first worker is no update: there is nothing to ask.
  let hadWorker = servedBy !== null
  let isAccepted = false
  const { Workbox } = await import('workbox-window')
  const worker = ['/sw.js', { updateViaCache: 'none' }] as const
  const workbox = new Workbox(...worker)
  const registration = await container.register(...worker)
  const takeOver = async () => {
    isAccepted = true
    // Chromium ends the old worker when it is idle: a file that is asked for just then wakes it, for 30 s more.
    await Promise.race([atRest, new Promise(resolve => setTimeout(resolve, REST_MS))])
    if (!registration.waiting) return window.location.reload()
    workbox.messageSkipWaiting()
    // Chromium may not notice that the old worker has nothing to do any more, for minutes: a page that is loaded anew tells it.
    setTimeout(() => window.location.reload(), TAKE_OVER_MS)
  }
  const offer = () => {
    if (registration.waiting && hadWorker) useUpdate.setState({ isWaiting: true, apply: takeOver })
  }
  // WebKit may tell of a version when it is no longer on its way, at which the library fails: this stands before it.
  registration.addEventListener('updatefound', event => {
    if (registration.installing) return
    event.stopImmediatePropagation()
    offer()
  })
  // Accepted in another tab: this page still runs the version whose files are about to go.
  const offerReload = () => useUpdate.setState({ isWaiting: true, apply: () => window.location.reload() })
  workbox.addEventListener('controlling', () => {
    if (hadWorker && !isAccepted) offerReload()
    if (isAccepted) window.location.reload()
    hadWorker = true
  })
  await workbox.register()
  // workbox-window tells of one later version only; a page may stay open for several.
  const follow = () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer())
  }
  registration.addEventListener('updatefound', follow)
  // The page registers late: a version may be on its way, or have taken over, before anybody listened.
  follow()
  offer()
  if (servedBy && container.controller !== servedBy) offerReload()
  // Without a network there is no new version; it is asked for again.
  const check = () => registration.update().catch(() => undefined)
  setInterval(check, CHECK_EVERY_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check())
}

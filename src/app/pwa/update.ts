import { create } from 'zustand'

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

/** Registers the service worker. A new version never takes over by itself: the reader may be typing. */
export async function registerWorker(): Promise<void> {
  const container = navigator.serviceWorker
  if (!container || !import.meta.env.PROD) return
  const registration = await container.register('/sw.js', { updateViaCache: 'none' })
  // The very first worker is no update: there is nothing to ask.
  let hadWorker = container.controller !== null
  const offer = () => {
    if (!registration.waiting || !hadWorker) return
    useUpdate.setState({ isWaiting: true, apply: () => takeOver(registration) })
  }
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer())
  })
  offer()
  container.addEventListener('controllerchange', () => {
    // Accepted in another tab: this page still runs the version whose files are about to go.
    if (hadWorker && !isAccepted) useUpdate.setState({ isWaiting: true, apply: () => window.location.reload() })
    if (isAccepted) window.location.reload()
    hadWorker = true
  })
  const check = () => registration.update().catch(() => undefined)
  setInterval(check, CHECK_EVERY_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check())
}

let isAccepted = false

function takeOver(registration: ServiceWorkerRegistration): void {
  isAccepted = true
  if (registration.waiting) registration.waiting.postMessage({ type: 'SKIP_WAITING' })
  else window.location.reload()
}

import { Workbox } from 'workbox-window'
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
  apply: () => undefined,
  later: () => set({ isWaiting: false }),
}))

const CHECK_EVERY_MS = 60 * 60 * 1000

/** Registers the service worker. A new version never takes over by itself: the reader may be typing. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const workbox = new Workbox('/sw.js')
  let isAccepted = false
  workbox.addEventListener('waiting', () => {
    useUpdate.setState({
      isWaiting: true,
      apply: () => {
        isAccepted = true
        workbox.messageSkipWaiting()
      },
    })
  })
  workbox.addEventListener('controlling', () => isAccepted && window.location.reload())
  const registration = await workbox.register()
  const check = () => registration?.update().catch(() => undefined)
  setInterval(check, CHECK_EVERY_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check())
}

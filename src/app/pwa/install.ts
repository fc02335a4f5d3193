import { create } from 'zustand'
import { isInstalled } from '#lib/installed.ts'

/** Chromium's event: the app can be installed, and the page may choose the moment to ask. */
type InstallEvent = Event & { prompt(): Promise<unknown>; userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallEvent
  }
}

type InstallState = {
  /** `prompt`: the browser can ask; `manual`: the reader has to use the browser's menu (iOS); null: no hint */
  way: 'prompt' | 'manual' | null
  install: () => Promise<void>
  dismiss: () => void
}

const DISMISSED_KEY = 'InstallHintDismissed'

const isDismissed = () => {
  try {
    return localStorage.getItem(DISMISSED_KEY) !== null
  } catch {
    // Blocked storage could not keep the answer: better never asked than on each page.
    return true
  }
}

/** iPads call themselves Macs; only their touch screen tells. */
export const isIos = (userAgent: string, touchPoints: number): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)

export const useInstall = create<InstallState>(set => ({
  way: null,
  install: async () => undefined,
  dismiss: () => {
    try {
      localStorage.setItem(DISMISSED_KEY, '1')
    } catch {
      // Blocked storage: the hint comes back with the next page.
    }
    set({ way: null })
  },
}))

/** Watches for the chance to put the portal on the home screen. */
export function watchInstall(): void {
  if (isInstalled() || isDismissed()) return
  if (isIos(navigator.userAgent, navigator.maxTouchPoints)) useInstall.setState({ way: 'manual' })
  window.addEventListener('beforeinstallprompt', event => {
    // Without this the browser shows its own bar at a moment of its own.
    event.preventDefault()
    const { prompt, userChoice } = event
    useInstall.setState({
      way: 'prompt',
      install: async () => {
        await prompt.call(event)
        await userChoice
        useInstall.setState({ way: null })
      },
    })
  })
  window.addEventListener('appinstalled', () => useInstall.setState({ way: null }))
}

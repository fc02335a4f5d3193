import { create } from 'zustand'
import { isInstalled } from '#lib/installed-app.ts'

/** Chromium's `beforeinstallprompt` event, with which the page can show the installation prompt later. */
type InstallEvent = Event & { prompt(): Promise<unknown>; userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallEvent
  }
}

type InstallState = {
  /** `prompt`: the browser can show a prompt; `manual`: installed via the browser's menu (iOS); null: no hint */
  way: 'prompt' | 'manual' | null
  install: () => Promise<void>
  dismiss: () => void
}

const DISMISSED_KEY = 'InstallHintDismissed'

const isDismissed = () => {
  try {
    return localStorage.getItem(DISMISSED_KEY) !== null
  } catch {
    // If storage is blocked, a dismissal could not be saved. Never showing the hint is better than showing it on each
    // page.
    return true
  }
}

/** iPads report the user agent of a Mac and differ only in their touch screen. */
export const isIos = (userAgent: string, touchPoints: number): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)

export const useInstallPrompt = create<InstallState>(set => ({
  way: null,
  install: async () => undefined,
  dismiss: () => {
    try {
      localStorage.setItem(DISMISSED_KEY, '1')
    } catch {
      // If the dismissal cannot be saved, the install hint is shown again on the next page load.
    }
    set({ way: null })
  },
}))

/** Tracks whether the app can be installed. */
export function trackInstallability(): void {
  if (isInstalled() || isDismissed()) return
  if (isIos(navigator.userAgent, navigator.maxTouchPoints)) useInstallPrompt.setState({ way: 'manual' })
  window.addEventListener('beforeinstallprompt', event => {
    // Suppresses the browser's own install prompt.
    event.preventDefault()
    const { prompt, userChoice } = event
    useInstallPrompt.setState({
      way: 'prompt',
      install: async () => {
        await prompt.call(event)
        await userChoice
        useInstallPrompt.setState({ way: null })
      },
    })
  })
  window.addEventListener('appinstalled', () => useInstallPrompt.setState({ way: null }))
}

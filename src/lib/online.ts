import { create } from 'zustand'
import { onReachability } from './call.ts'
import { deviceNow } from './clock.ts'

/** Whether the portal answers, as far as known. The browser's own flag is a hint: it stays true when only the server is away. */
export const useOnline = create<{ isOnline: boolean }>(() => ({ isOnline: navigator.onLine !== false }))

const report = (isOnline: boolean) => {
  if (useOnline.getState().isOnline !== isOnline) useOnline.setState({ isOnline })
}

let lostAt = 0

/** Listens to the browser and to every call. */
export function watchOnline(): void {
  // An answer that was under way when the network went says nothing of now.
  onReachability((isReachable, sentAt) => report(isReachable && sentAt > lostAt))
  window.addEventListener('offline', () => {
    lostAt = deviceNow()
    report(false)
  })
  window.addEventListener('online', () => report(true))
}

import { create } from 'zustand'
import { onReachability } from './call.ts'

/**
 * Whether the portal's server answers, as far as known. The browser's own flag is only a hint: it stays true when only the
 * server is away.
 */
export const useOnline = create<{ isOnline: boolean }>(() => ({ isOnline: navigator.onLine !== false }))

const report = (isOnline: boolean) => {
  if (useOnline.getState().isOnline !== isOnline) useOnline.setState({ isOnline })
}

onReachability(report)
window.addEventListener('offline', () => report(false))
window.addEventListener('online', () => report(true))

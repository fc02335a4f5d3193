import { create } from 'zustand'

/**
 * Whether the portal's server answers, as far as known. The browser's own flag is only a hint: it stays true when only the
 * server is away.
 */
export const useOnline = create<{ isOnline: boolean }>(() => ({
  isOnline: typeof navigator === 'undefined' || navigator.onLine !== false,
}))

/** Called by the API client after every call. */
export const reportReachable = (isOnline: boolean): void => {
  if (useOnline.getState().isOnline !== isOnline) useOnline.setState({ isOnline })
}

if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => reportReachable(false))
  window.addEventListener('online', () => reportReachable(true))
}

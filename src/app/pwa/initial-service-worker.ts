/** The service worker that served this page, read before an update can replace it. */
export const initialServiceWorker = globalThis.navigator?.serviceWorker?.controller ?? null

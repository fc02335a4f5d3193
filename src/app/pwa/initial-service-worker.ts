/** The service worker that served this page. It is read at startup, before an update can replace it. */
export const initialServiceWorker = globalThis.navigator?.serviceWorker?.controller ?? null

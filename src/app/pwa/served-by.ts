/** The service worker that served this page, read before an update can replace it. */
export const servedBy = globalThis.navigator?.serviceWorker?.controller ?? null

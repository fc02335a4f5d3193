/** The version that brought this page, read before another can take its place. */
export const servedBy = globalThis.navigator?.serviceWorker?.controller ?? null

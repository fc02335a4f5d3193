const RETRY_MS = 5_000

/** Retries a dynamic import until it succeeds. */
export async function retryUntilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      // The module cannot be loaded while offline, so retry later.
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

const SOON_MS = 1_000

/** Resolves when the resource is loaded or a timeout has elapsed, whichever comes first. For optional resources. */
export const withTimeout = (coming: Promise<unknown>): Promise<unknown> =>
  Promise.race([coming, new Promise(resolve => setTimeout(resolve, SOON_MS))])

/** Resolves when the resources of the first screen are loaded. Work of lower priority must not compete with them. */
export const waitForPageLoad = (): Promise<void> =>
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve()
    else window.addEventListener('load', () => resolve(), { once: true })
  })

/** Resolves when the main thread is idle. */
export const waitForPageIdle = (): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve())
    else setTimeout(resolve, 100)
  })

/** Yields to the event loop, so that pending input and frames are handled first. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

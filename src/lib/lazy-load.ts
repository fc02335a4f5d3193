const RETRY_MS = 5_000

/** Retries a dynamic import until it succeeds. */
export async function retryUntilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      // Offline, the module cannot be loaded: retry later.
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

const SOON_MS = 1_000

/** Resolves when the resource is loaded or after a timeout, whichever is first. For optional resources. */
export const withTimeout = (coming: Promise<unknown>): Promise<unknown> =>
  Promise.race([coming, new Promise(resolve => setTimeout(resolve, SOON_MS))])

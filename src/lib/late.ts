const RETRY_MS = 5_000

/** Asks for a part of the app until it comes. */
export async function insist<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch {
      // Without a network there is no part: it is asked for again until there is one.
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

const SOON_MS = 1_000

/** Waits for what had better be there, but not for long: whoever cannot do without it waits by itself. */
export const soon = (coming: Promise<unknown>): Promise<unknown> =>
  Promise.race([coming, new Promise(resolve => setTimeout(resolve, SOON_MS))])

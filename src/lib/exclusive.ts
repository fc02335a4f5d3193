const PATIENCE_MS = 30_000

type Device = {
  /** undefined in browsers without the Web Locks API */
  locks: Pick<LockManager, 'request'> | undefined
  after(ms: number, act: () => void): () => void
}

/**
 * Runs the work under a Web Lock shared by all pages and the service worker. After a timeout it runs without the lock,
 * because a frozen tab may hold the lock indefinitely.
 */
export async function runExclusive<T>({ locks, after }: Device, name: string, work: () => Promise<T>): Promise<T> {
  if (!locks) return work()
  const patience = new AbortController()
  const stop = after(PATIENCE_MS, () => patience.abort())
  let isStarted = false
  try {
    return await locks.request<Promise<T>>(name, { signal: patience.signal }, () => {
      isStarted = true
      stop()
      return work()
    })
  } catch (error) {
    if (isStarted) throw error
    return work()
  } finally {
    stop()
  }
}

/** Runs tasks one after another. A rejection affects only its own caller. */
export function createTaskQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    // The caller handles the rejection.
    last = result.catch(() => undefined)
    return result
  }
}

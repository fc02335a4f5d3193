const PATIENCE_MS = 30_000

type Device = {
  /** missing where the browser has no Web Locks */
  locks: Pick<LockManager, 'request'> | undefined
  after(ms: number, act: () => void): () => void
}

/** One at a time among pages and the worker; who holds the lock for too long (a frozen tab) is not waited for. */
export async function oneAtATime<T>({ locks, after }: Device, name: string, work: () => Promise<T>): Promise<T> {
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

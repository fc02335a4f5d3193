type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** Asks the browser to wake the worker once there is a network; some browsers cannot. */
export function requestSync(tag: string): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .getRegistration()
    .then((registration: SyncRegistration | undefined) => registration?.sync?.register(tag))
    // Without a worker, or where the person forbids it, the page itself sends when it is open.
    .catch(() => undefined)
}

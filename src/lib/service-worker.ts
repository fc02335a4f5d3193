/** Opens a BroadcastChannel that connects the app's pages on this device and the service worker. */
export function openChannel(name: string) {
  let channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return {
    tell: (message: unknown): void => channel?.postMessage(message),
    onMessage: (act: (message: unknown) => void): void => channel?.addEventListener('message', ({ data }) => act(data)),
    /** Messages that arrive later are dropped. */
    close: (): void => {
      channel?.close()
      channel = null
    },
  }
}

type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** Registers a one-off background sync in the service worker. Does nothing in browsers without the API. */
export function requestSync(tag: string): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .getRegistration()
    .then((registration: SyncRegistration | undefined) => registration?.sync?.register(tag))
    // Without a service worker or permission, the open page synchronizes instead.
    .catch(() => undefined)
}

/** BroadcastChannel between the pages of this device and their service worker. */
export function openChannel(name: string) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return {
    tell: (message: unknown): void => channel?.postMessage(message),
    onMessage: (act: (message: unknown) => void): void => channel?.addEventListener('message', ({ data }) => act(data)),
    close: (): void => channel?.close(),
  }
}

/** BroadcastChannel between the pages of this device and their service worker. */
export function openChannel(name: string) {
  let channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return {
    tell: (message: unknown): void => channel?.postMessage(message),
    onMessage: (act: (message: unknown) => void): void => channel?.addEventListener('message', ({ data }) => act(data)),
    /** Later messages are dropped. */
    close: (): void => {
      channel?.close()
      channel = null
    },
  }
}

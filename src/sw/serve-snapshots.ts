import type { createHandlerBoundToURL } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { SNAPSHOT_CACHE, snapshotKey } from '#lib/screen-snapshots.ts'

/** Snapshots depend on the class names and chunks of a single version. */
export const deleteScreenSnapshots = (): Promise<boolean> => caches.delete(SNAPSHOT_CACHE)

/**
 * Serves the last screen snapshot for navigation requests. It must be registered before all other routes, which would
 * match the root themselves.
 * @param page the app's page without server-rendered content
 */
export function serveScreenSnapshots(page: ReturnType<typeof createHandlerBoundToURL>): void {
  registerRoute(
    ({ request, url, sameOrigin }) =>
      sameOrigin && request.mode === 'navigate' && url.search === '' && snapshotKey(url.pathname) !== null,
    async options => {
      // If caches are blocked, the app opens without a snapshot.
      const kept = await caches
        .match(snapshotKey(options.url.pathname) ?? '', { cacheName: SNAPSHOT_CACHE })
        .catch(() => undefined)
      return kept ?? page(options)
    },
  )
}

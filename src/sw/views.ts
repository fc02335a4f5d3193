import type { createHandlerBoundToURL } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { VIEWS, viewOf } from '#lib/kept-views.ts'

/** Snapshots depend on the class names and chunks of one version. */
export const forgetViews = (): Promise<boolean> => caches.delete(VIEWS)

/**
 * Serves the last screen snapshot for navigation requests. Registered before all other routes, which would match the
 * root themselves.
 * @param page the app's page without a first view
 */
export function showViews(page: ReturnType<typeof createHandlerBoundToURL>): void {
  registerRoute(
    ({ request, url, sameOrigin }) =>
      sameOrigin && request.mode === 'navigate' && url.search === '' && viewOf(url.pathname) !== null,
    async options => {
      // With blocked caches the app opens without a snapshot.
      const kept = await caches.match(viewOf(options.url.pathname) ?? '', { cacheName: VIEWS }).catch(() => undefined)
      return kept ?? page(options)
    },
  )
}

import type { createHandlerBoundToURL } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { VIEWS, viewOf } from '#lib/kept-views.ts'

/** Class names and files are those of one version: the next has none of them. */
export const forgetViews = (): Promise<boolean> => caches.delete(VIEWS)

/**
 * The app opens with its screen as it stood at last. Before all other routes: one of them would answer the root itself.
 * @param page the app's page without a first view
 */
export function showViews(page: ReturnType<typeof createHandlerBoundToURL>): void {
  registerRoute(
    ({ request, url, sameOrigin }) =>
      sameOrigin && request.mode === 'navigate' && url.search === '' && viewOf(url.pathname) !== null,
    async options => {
      // Where nothing may be kept, the app opens without one.
      const kept = await caches.match(viewOf(options.url.pathname) ?? '', { cacheName: VIEWS }).catch(() => undefined)
      return kept ?? page(options)
    },
  )
}

import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import type { FileCache } from '#lib/kept-files.ts'

const DAY_SECONDS = 24 * 60 * 60
const IS_FILE = /^\/(?:content|photos|thumbnails)\//
const IS_PICTURE = /\.(?:webp|avif|png|jpe?g|gif|svg)$/i

const keep = (cacheName: FileCache, maxEntries: number) =>
  new StaleWhileRevalidate({
    cacheName,
    plugins: [new ExpirationPlugin({ maxEntries, maxAgeSeconds: 90 * DAY_SECONDS, purgeOnQuotaError: true })],
  })

const pictures = keep('pictures', 400)
const documents = keep('documents', 60)
const MARKED: FileCache = 'documents-kept'

/**
 * Pictures and documents that were opened open again without a network. Documents the reader has marked come first: they stay
 * until the mark is taken back.
 */
export function keepFiles(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && IS_FILE.test(url.pathname) && IS_PICTURE.test(url.pathname),
    pictures,
  )
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && IS_FILE.test(url.pathname),
    async options => {
      const cache = await caches.open(MARKED)
      const marked = await cache.match(options.request.url)
      if (!marked) return documents.handle(options)
      // The copy is renewed beside the answer; without a network it stays as it is.
      options.event.waitUntil(cache.add(options.request.url).catch(() => undefined))
      return marked
    },
  )
}

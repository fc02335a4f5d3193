import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import type { FileCache } from '#lib/kept-files.ts'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof StaleWhileRevalidate>[0]>['plugins']>[number]

const PICTURES: FileCache = 'pictures'
const DAY_SECONDS = 24 * 60 * 60
const IS_FILE = /^\/(?:content|photos|thumbnails)\//
const IS_PICTURE = /\.(?:webp|avif|png|jpe?g|gif|svg)$/i

const keep = (cacheName: FileCache, maxEntries: number, ...plugins: Plugin[]) =>
  new StaleWhileRevalidate({
    cacheName,
    plugins: [
      new ExpirationPlugin({ maxEntries, maxAgeSeconds: 90 * DAY_SECONDS, purgeOnQuotaError: true }),
      ...plugins,
    ],
  })

/** Without a network any size of a picture is better than none: another width of it, the small one of a photo. */
const otherSize: Plugin = {
  handlerDidError: async ({ request }) => {
    const ignoreSearch = { cacheName: PICTURES, ignoreSearch: true }
    const small = request.url.replace('/photos/', '/thumbnails/')
    return (await caches.match(request, ignoreSearch)) ?? caches.match(small, ignoreSearch)
  },
}

const pictures = keep(PICTURES, 400, otherSize)
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

import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import type { FileCache } from '#lib/kept-files.ts'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof StaleWhileRevalidate>[0]>['plugins']>[number]

const PICTURES: FileCache = 'pictures'
const OWN_PICTURES: FileCache = 'pictures-own'
const DAY_SECONDS = 24 * 60 * 60
const IS_FILE = /^\/(?:content|photos|thumbnails)\//
/** The name of a private picture: its permit, in which the album stands, before the plain name. */
const SIGNED = /^(\/(?:photos|thumbnails)\/)(?:~|%7E)[\w-]{16}\.(\d+)\.[\w-]{22}(?:~|%7E)/i
const IS_PICTURE = /\.(?:webp|avif|png|jpe?g|gif|svg)$/i

const keep = (cacheName: FileCache, maxEntries: number, ...plugins: Plugin[]) =>
  new StaleWhileRevalidate({
    cacheName,
    plugins: [
      new ExpirationPlugin({ maxEntries, maxAgeSeconds: 90 * DAY_SECONDS, purgeOnQuotaError: true }),
      ...plugins,
    ],
  })

/** The address without the permit, which is good for one session and changes twice a day: kept is the picture, not the key. */
function withoutPermit(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(SIGNED, '$1~$2~')
  return url.href
}

/** Without a network any size of a picture is better than none: another width of it, the small one of a photo. */
const otherSizeIn = (cacheName: FileCache): Plugin => ({
  handlerDidError: async ({ request }) => {
    const options = { cacheName, ignoreSearch: true }
    const address = withoutPermit(request.url)
    const small = address.replace('/photos/', '/thumbnails/')
    return (await caches.match(address, options)) ?? caches.match(small, options)
  },
})

const pictures = keep(PICTURES, 400, otherSizeIn(PICTURES))
const ownPictures = keep(OWN_PICTURES, 200, otherSizeIn(OWN_PICTURES), {
  cacheKeyWillBeUsed: async ({ request }) => withoutPermit(request.url),
})
const documents = keep('documents', 60)
const MARKED: FileCache = 'documents-kept'

/**
 * Pictures and documents that were opened open again without a network. Documents the reader has marked come first: they stay
 * until the mark is taken back.
 */
export function keepFiles(): void {
  registerRoute(({ url, sameOrigin }) => sameOrigin && SIGNED.test(url.pathname), ownPictures)
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

/** When the session ends: the pictures of the person's own courses, and the library's note of when each was used. */
export async function forgetOwnPictures(): Promise<void> {
  await caches.delete(OWN_PICTURES)
  await new CacheExpiration(OWN_PICTURES, { maxEntries: 1 }).delete()
}

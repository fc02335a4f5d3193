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
/** Filled by the page. */
const KEPT: FileCache[] = ['documents-kept', 'documents-flyers']

/** The copy that the page has kept, renewed beside the answer; without a network it stays as it is. */
async function keptCopy(url: string, event: ExtendableEvent): Promise<Response | undefined> {
  for (const name of KEPT) {
    const cache = await caches.open(name)
    const copy = await cache.match(url)
    if (!copy) continue
    event.waitUntil(cache.add(url).catch(() => undefined))
    return copy
  }
}

/** The app's page of what is on this device, which names the document that is not. */
const missing = (url: string) => Response.redirect(`/offline?document=${encodeURIComponent(new URL(url).pathname)}`)

/**
 * Pictures and documents that were opened open again without a network. Documents that the page has kept come first.
 * One that is in no cache and cannot be fetched leads to a page of the app, not to the browser's own.
 */
export function keepFiles(): void {
  registerRoute(({ url, sameOrigin }) => sameOrigin && SIGNED.test(url.pathname), ownPictures)
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && IS_FILE.test(url.pathname) && IS_PICTURE.test(url.pathname),
    pictures,
  )
  registerRoute(
    ({ url, sameOrigin, request }) =>
      sameOrigin && IS_FILE.test(url.pathname) && (request.mode === 'navigate' || request.cache !== 'no-cache'),
    async options => {
      const { url, mode } = options.request
      const copy = await keptCopy(url, options.event)
      if (copy) return copy
      const opened = documents.handle(options)
      return mode === 'navigate' ? opened.catch(() => missing(url)) : opened
    },
  )
}

/** When the session ends: the pictures of the person's own courses, and the library's note of when each was used. */
export async function forgetOwnPictures(): Promise<void> {
  await caches.delete(OWN_PICTURES)
  await new CacheExpiration(OWN_PICTURES, { maxEntries: 1 }).delete()
}

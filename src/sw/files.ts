import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import { type FileCache, isPrivatePicture, withoutPermit } from '#lib/kept-files.ts'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof StaleWhileRevalidate>[0]>['plugins']>[number]

const PICTURES: FileCache = 'pictures'
const OWN_PICTURES: FileCache = 'pictures-own'
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
const strategyOf = (url: URL) => (isPrivatePicture(url) ? ownPictures : pictures)
const documents = keep('documents', 60)
/** Filled by the page. */
const KEPT: FileCache[] = ['documents-kept', 'documents-flyers']

/** The copy that the page has kept, renewed beside the answer; without a network it stays as it is. */
async function keptCopy(url: string, event: ExtendableEvent): Promise<Response | undefined> {
  for (const name of KEPT) {
    const cache = await caches.open(name)
    const copy = await cache.match(url)
    if (!copy) continue
    // Without a network the copy stays as it is.
    event.waitUntil(cache.add(url).catch(() => undefined))
    return copy
  }
}

/** The app's page of what is on this device, which names the document or photo that is not. */
const missing = (url: string) =>
  Response.redirect(`/offline?document=${encodeURIComponent(new URL(withoutPermit(url)).pathname)}`)

/** Answers a call for a file; what somebody opens and cannot be had leads to a page of the app, not to the browser's own. */
const orMissing = ({ mode, url }: Request, answer: Promise<Response>) =>
  mode === 'navigate' ? answer.catch(() => missing(url)) : answer

/** Pictures and documents that were opened open again without a network. Documents that the page has kept come first. */
export function keepFiles(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && IS_FILE.test(url.pathname) && IS_PICTURE.test(url.pathname),
    options => orMissing(options.request, strategyOf(options.url).handle(options)),
  )
  registerRoute(
    ({ url, sameOrigin, request }) =>
      sameOrigin && IS_FILE.test(url.pathname) && (request.mode === 'navigate' || request.cache !== 'no-cache'),
    async options => {
      const copy = await keptCopy(options.request.url, options.event)
      return copy ?? orMissing(options.request, documents.handle(options))
    },
  )
}

/** Grows with each logout: what was asked for before it is not kept any more. */
let sessionCount = 0

/** Keeps pictures, one after the other; those that are here are not fetched again. @throws Error without an answer of the server */
export async function keepPictures(addresses: readonly string[], event: ExtendableEvent): Promise<void> {
  const session = sessionCount
  for (const address of addresses) {
    if (session !== sessionCount) return
    const strategy = strategyOf(new URL(address))
    if (await caches.match(withoutPermit(address), { cacheName: strategy.cacheName })) continue
    const [answer, done] = strategy.handleAll({ event, request: new Request(address) })
    await answer
    await done
  }
}

/** When the session ends: the pictures of the person's own courses, and the library's note of when each was used. */
export async function forgetOwnPictures(): Promise<void> {
  sessionCount += 1
  await caches.delete(OWN_PICTURES)
  await new CacheExpiration(OWN_PICTURES, { maxEntries: 1 }).delete()
}

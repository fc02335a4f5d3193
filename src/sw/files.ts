import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import { type FileCache, isPrivatePicture, withoutSignature } from '#lib/cached-files.ts'

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

/** Offline fallback: another size of the same picture, such as the thumbnail of a photo. */
const otherSizeIn = (cacheName: FileCache): Plugin => ({
  handlerDidError: async ({ request }) => {
    const options = { cacheName, ignoreSearch: true }
    const address = withoutSignature(request.url)
    const small = address.replace('/photos/', '/thumbnails/')
    return (await caches.match(address, options)) ?? caches.match(small, options)
  },
})

const pictures = keep(PICTURES, 400, otherSizeIn(PICTURES))
const ownPictures = keep(OWN_PICTURES, 200, otherSizeIn(OWN_PICTURES), {
  cacheKeyWillBeUsed: async ({ request }) => withoutSignature(request.url),
})
const strategyOf = (url: URL) => (isPrivatePicture(url) ? ownPictures : pictures)
const documents = keep('documents', 60)
/** Names of the caches that the page fills. */
const KEPT: FileCache[] = ['documents-kept', 'documents-flyers']

/** Serves the saved copy and revalidates it in the background. */
async function keptCopy(url: string, event: ExtendableEvent): Promise<Response | undefined> {
  for (const name of KEPT) {
    const cache = await caches.open(name)
    const copy = await cache.match(url)
    if (!copy) continue
    // While offline, the cached copy remains unchanged.
    event.waitUntil(cache.add(url).catch(() => undefined))
    return copy
  }
}

/** URL of the app's offline page, which shows the name of the missing document or photo. */
const missing = (url: string) =>
  Response.redirect(`/offline?document=${encodeURIComponent(new URL(withoutSignature(url)).pathname)}`)

/**
 * Responds to a file request. If a navigation fails, it redirects to a page of the app, which replaces the browser's
 * error page.
 */
const orMissing = ({ mode, url }: Request, answer: Promise<Response>) =>
  mode === 'navigate' ? answer.catch(() => missing(url)) : answer

/** Makes opened pictures and documents available offline. Documents saved by the page take precedence. */
export function registerFileCaching(): void {
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

/** Incremented at logout, so that responses to earlier requests are not cached. */
let sessionCount = 0

/**
 * Caches pictures sequentially, skipping those that are already cached.
 * @throws Error if there is no response
 */
export async function cachePicturesInWorker(addresses: readonly string[], event: ExtendableEvent): Promise<void> {
  const session = sessionCount
  for (const address of addresses) {
    if (session !== sessionCount) return
    const strategy = strategyOf(new URL(address))
    if (await caches.match(withoutSignature(address), { cacheName: strategy.cacheName })) continue
    const [answer, done] = strategy.handleAll({ event, request: new Request(address) })
    await answer
    await done
  }
}

/** At logout, deletes the pictures of the user's own courses and Workbox's expiration records for them. */
export async function purgeOwnPictures(): Promise<void> {
  sessionCount += 1
  await caches.delete(OWN_PICTURES)
  await new CacheExpiration(OWN_PICTURES, { maxEntries: 1 }).delete()
}

/**
 * Names of caches in Cache Storage. `documents-kept` contains documents that the user saved for offline use, and
 * `documents-flyers` those offered to all users; both are filled by the page. `documents` and `pictures` contain opened
 * files and are filled by the service worker. `pictures-own` contains pictures of the user's own courses, which are
 * deleted at logout.
 */
export type FileCache = 'documents-kept' | 'documents-flyers' | 'documents' | 'pictures' | 'pictures-own'

/** Message to the service worker: cache the pictures at `urls`, whether or not they are shown. */
export const CACHE_PICTURES_MESSAGE = 'KEEP_PICTURES'

/** Message to the service worker: delete the pictures of the user's own courses and the records of their use. */
export const DELETE_OWN_PICTURES_MESSAGE = 'FORGET_OWN_PICTURES'

export type CachedFile = {
  url: string
  /** bytes */
  size: number
  /** time of the response's Date header in ms since 1970; null if it has none */
  storedAt: number | null
}

/** Whether the browser has Cache Storage, which exists only in secure contexts. */
export const hasFileCaches = (): boolean => 'caches' in self

/** Path of a private picture. The file name is preceded by a signature, which contains the album id. */
const SIGNED = /^(\/(?:photos|thumbnails)\/)(?:~|%7E)[\w-]{16}\.(\d+)\.[\w-]{22}(?:~|%7E)/i

export const isPrivatePicture = (url: URL): boolean => SIGNED.test(url.pathname)

/**
 * Removes the signature from a picture's URL so that it can be used as a cache key. Signatures are bound to a session
 * and change twice a day.
 */
export function withoutSignature(address: string): string {
  const url = new URL(address, self.location.href)
  url.pathname = url.pathname.replace(SIGNED, '$1~$2~')
  return url.href
}

type Connected = { readonly connection?: { saveData?: boolean; type?: string } }

declare global {
  interface Navigator extends Connected {}
  interface WorkerNavigator extends Connected {}
}

/** Whether the connection is metered or the user has enabled data saving. Most browsers do not report this. */
export function isDataSaverOn(): boolean {
  const { saveData, type } = navigator.connection ?? {}
  return saveData === true || type === 'cellular'
}

const absolute = (url: string) => new URL(url, self.location.href).href

async function describe(cache: Cache, request: Request): Promise<CachedFile | null> {
  const response = await cache.match(request)
  if (!response) return null
  const sentAt = Date.parse(response.headers.get('Date') ?? '')
  return { url: request.url, size: (await response.blob()).size, storedAt: Number.isNaN(sentAt) ? null : sentAt }
}

/** Lists the files in a cache with their sizes. */
export async function listCachedFiles(name: FileCache): Promise<CachedFile[]> {
  if (!hasFileCaches()) return []
  const cache = await caches.open(name)
  const files = await Promise.all((await cache.keys()).map(request => describe(cache, request)))
  return files.filter(file => file !== null)
}

/** Lists the absolute URLs of the files in a cache without reading their bodies. */
export async function listCachedFileUrls(name: FileCache): Promise<string[]> {
  if (!hasFileCaches()) return []
  return (await (await caches.open(name)).keys()).map(({ url }) => url)
}

/**
 * Fetches a file into the cache of saved documents, from which it is never evicted automatically.
 * @throws TypeError if there is no response
 */
export async function cacheFile(url: string): Promise<void> {
  const response = await fetchPastWorker(url)
  if (!response.ok) throw new TypeError(`HTTP ${response.status} for ${url}`)
  await (await caches.open('documents-kept')).put(absolute(url), response)
}

/** The service worker ignores requests with this cache mode. It would otherwise record the document as opened. */
const fetchPastWorker = (url: string) => fetch(url, { cache: 'no-cache' })

/**
 * Caches exactly these documents, up to the size limit, and deletes all others.
 * @param room size limit in bytes
 * @throws TypeError if there is no response
 */
export async function cacheFlyers(urls: readonly string[], room: number): Promise<void> {
  const wanted = urls.map(absolute)
  await deleteCachedFiles('documents-flyers', url => !wanted.includes(url))
  const sizes = new Map((await listCachedFiles('documents-flyers')).map(({ url, size }) => [url, size]))
  let left = room - [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const cache = await caches.open('documents-flyers')
  for (const url of wanted.filter(address => !sizes.has(address))) {
    const response = await fetchPastWorker(url)
    const { size } = await response.clone().blob()
    if (!response.ok || size > left) continue
    await cache.put(url, response)
    left -= size
  }
}

/** Deletes the cached files whose URL matches the predicate, or all of them by default. */
export async function deleteCachedFiles(name: FileCache, fits: (url: string) => boolean = () => true): Promise<void> {
  if (!hasFileCaches()) return
  const cache = await caches.open(name)
  for (const request of await cache.keys()) if (fits(request.url)) await cache.delete(request)
}

/** Asks the service worker to cache these pictures. Does nothing without a service worker. */
export async function cachePictures(urls: readonly string[]): Promise<void> {
  if (!('serviceWorker' in navigator) || urls.length === 0) return
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ type: CACHE_PICTURES_MESSAGE, urls: urls.map(absolute) })
}

/** Deletes the cached pictures of the user's own courses. The service worker deletes the records of their use. */
export async function deleteOwnPictures(): Promise<void> {
  if ('serviceWorker' in navigator)
    navigator.serviceWorker.controller?.postMessage({ type: DELETE_OWN_PICTURES_MESSAGE })
  await deleteCachedFiles('pictures-own')
  // Earlier versions cached the pictures of the user's own courses together with all others, under their signed URLs.
  await deleteCachedFiles('pictures', url => url.includes('/~'))
}

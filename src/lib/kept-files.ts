/**
 * Caches of files. `documents-kept`: what the reader marked, `documents-flyers`: what every reader has; both filled by the page. `documents` and `pictures`: what was opened, filled by the
 * service worker. `pictures-own`: those of the person's own courses, gone when the session ends.
 */
export type FileCache = 'documents-kept' | 'documents-flyers' | 'documents' | 'pictures' | 'pictures-own'

/** Tells the worker to keep these pictures (`urls`), whether or not the page shows them. */
export const KEEP_PICTURES = 'KEEP_PICTURES'

/** Tells the worker to forget the pictures of the person's own courses, and that it kept them. */
export const FORGET_OWN_PICTURES = 'FORGET_OWN_PICTURES'

export type KeptFile = {
  url: string
  /** bytes */
  size: number
  /** when the server sent it, ms since 1970; null when it did not say */
  storedAt: number | null
}

/** Browsers offer caches on secure addresses only. */
export const hasFileCaches = (): boolean => 'caches' in self

/** The name of a private picture: its permit, in which the album stands, before the plain name. */
const SIGNED = /^(\/(?:photos|thumbnails)\/)(?:~|%7E)[\w-]{16}\.(\d+)\.[\w-]{22}(?:~|%7E)/i

export const isPrivatePicture = (url: URL): boolean => SIGNED.test(url.pathname)

/** A picture's address without the permit, which is good for one session and changes twice a day: kept is the picture, not the key. */
export function withoutPermit(address: string): string {
  const url = new URL(address, self.location.href)
  url.pathname = url.pathname.replace(SIGNED, '$1~$2~')
  return url.href
}

type Connected = { readonly connection?: { saveData?: boolean; type?: string } }

declare global {
  interface Navigator extends Connected {}
  interface WorkerNavigator extends Connected {}
}

/** Whether the reader pays by the byte, or asked for little data; most browsers do not say. */
export function isDataDear(): boolean {
  const { saveData, type } = navigator.connection ?? {}
  return saveData === true || type === 'cellular'
}

const absolute = (url: string) => new URL(url, self.location.href).href

async function describe(cache: Cache, request: Request): Promise<KeptFile | null> {
  const response = await cache.match(request)
  if (!response) return null
  const sentAt = Date.parse(response.headers.get('Date') ?? '')
  return { url: request.url, size: (await response.blob()).size, storedAt: Number.isNaN(sentAt) ? null : sentAt }
}

/** The files of a cache with their sizes. */
export async function listFiles(name: FileCache): Promise<KeptFile[]> {
  if (!hasFileCaches()) return []
  const cache = await caches.open(name)
  const files = await Promise.all((await cache.keys()).map(request => describe(cache, request)))
  return files.filter(file => file !== null)
}

/** The absolute addresses of a cache's files, without reading them. */
export async function listAddresses(name: FileCache): Promise<string[]> {
  if (!hasFileCaches()) return []
  return (await (await caches.open(name)).keys()).map(({ url }) => url)
}

/** Fetches a file and keeps it until it is dropped. @throws TypeError without an answer of the server */
export async function keepFile(url: string): Promise<void> {
  const response = await fetchPastWorker(url)
  if (!response.ok) throw new TypeError(`${response.status} for ${url}`)
  await (await caches.open('documents-kept')).put(absolute(url), response)
}

/** The worker leaves such a request alone: it would note the document as one that was opened. */
const fetchPastWorker = (url: string) => fetch(url, { cache: 'no-cache' })

/**
 * Keeps these documents and no others, as far as the room goes.
 * @param room bytes @throws TypeError without an answer of the server
 */
export async function keepFlyers(urls: readonly string[], room: number): Promise<void> {
  const wanted = urls.map(absolute)
  await dropFiles('documents-flyers', url => !wanted.includes(url))
  const sizes = new Map((await listFiles('documents-flyers')).map(({ url, size }) => [url, size]))
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

/** Drops the files whose address fits; without a test all of them. */
export async function dropFiles(name: FileCache, fits: (url: string) => boolean = () => true): Promise<void> {
  if (!hasFileCaches()) return
  const cache = await caches.open(name)
  for (const request of await cache.keys()) if (fits(request.url)) await cache.delete(request)
}

/** Has the worker keep these pictures, opened or not; where there is none, nothing is kept. */
export async function keepPictures(urls: readonly string[]): Promise<void> {
  if (!('serviceWorker' in navigator) || urls.length === 0) return
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ type: KEEP_PICTURES, urls: urls.map(absolute) })
}

/** Drops the pictures of the person's own courses. The worker's note of when each was used goes by its own hand. */
export async function dropOwnPictures(): Promise<void> {
  if ('serviceWorker' in navigator) navigator.serviceWorker.controller?.postMessage({ type: FORGET_OWN_PICTURES })
  await dropFiles('pictures-own')
  // Earlier versions kept them among all others, under the signed names.
  await dropFiles('pictures', url => url.includes('/~'))
}

/**
 * Cache of screen snapshots. The service worker serves the last rendered HTML of a screen, which the app then hydrates.
 */
export const SNAPSHOT_CACHE = 'views'

/** Maximum number of cached course pages; the least recently viewed ones are evicted. */
const MOST_COURSES = 12
const COURSE = /^\/course-details\/\d+$/

/** Cache key of a screen. Only the usual start screens and the course pages have snapshots; null for all others. */
export const snapshotKey = (path: string): string | null =>
  path === '/' || path === '/home' ? '/home' : path === '/courses' || COURSE.test(path) ? path : null

let turn = 0

/** Response header that names the owner of a snapshot. */
export const SNAPSHOT_OWNER_HEADER = 'View-Of'
export type SnapshotOwner = 'person' | 'nobody'

/** Deletes all snapshots, or only those of other owners, so that the next user of the device does not see them. */
export async function deleteSnapshots(staying?: SnapshotOwner): Promise<void> {
  if (!('caches' in globalThis)) return
  turn += 1
  const cache = await caches.open(SNAPSHOT_CACHE)
  for (const request of await cache.keys()) {
    const view = await cache.match(request)
    if (!staying || view?.headers.get(SNAPSHOT_OWNER_HEADER) !== staying) await cache.delete(request)
  }
}

/**
 * Stores a snapshot, replacing the previous one.
 * @param make resolves to null if there is nothing to store
 */
export async function storeSnapshot(view: string, make: () => Promise<Response | null>): Promise<void> {
  const asked = turn
  const page = await make()
  if (!page || asked !== turn) return
  const cache = await caches.open(SNAPSHOT_CACHE)
  // The entry is deleted first so that it is added at the end of the cache: the entries at the beginning are evicted
  // first.
  await cache.delete(view)
  await cache.put(view, page)
  const courses = (await cache.keys()).filter(({ url }) => COURSE.test(new URL(url).pathname))
  for (const oldest of courses.slice(0, -MOST_COURSES)) await cache.delete(oldest)
  if (asked !== turn) await deleteSnapshots()
}

/** Pages as they stood at last, with all that was to be seen: the worker answers with them, and the app takes over. */
export const VIEWS = 'views'

/** Of courses so many pages, those looked at last. */
const MOST_COURSES = 12
const COURSE = /^\/course-details\/\d+$/

/** The screens that people open the app with, by address, and the pages of courses. */
export const viewOf = (path: string): string | null =>
  path === '/' || path === '/home' ? '/home' : path === '/courses' || COURSE.test(path) ? path : null

let turn = 0

/** The header that says whose it is. */
export const WHOSE = 'View-Of'
export type Whose = 'person' | 'nobody'

/** Forgets all of them, or those that are not of such a reader: somebody else may open the app next. */
export async function dropViews(staying?: Whose): Promise<void> {
  if (!('caches' in globalThis)) return
  turn += 1
  const cache = await caches.open(VIEWS)
  for (const request of await cache.keys()) {
    const view = await cache.match(request)
    if (!staying || view?.headers.get(WHOSE) !== staying) await cache.delete(request)
  }
}

/** Keeps one until the next is kept, or all are forgotten. @param make null: there is nothing to keep */
export async function keepView(view: string, make: () => Promise<Response | null>): Promise<void> {
  const asked = turn
  const page = await make()
  if (!page || asked !== turn) return
  const cache = await caches.open(VIEWS)
  // Those kept last are the last in the cache, too.
  await cache.delete(view)
  await cache.put(view, page)
  const courses = (await cache.keys()).filter(({ url }) => COURSE.test(new URL(url).pathname))
  for (const oldest of courses.slice(0, -MOST_COURSES)) await cache.delete(oldest)
  if (asked !== turn) await dropViews()
}

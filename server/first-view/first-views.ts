import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { appBrandingOf } from '#server/branding/files.ts'
import type { Config } from '#server/config.ts'
import { pickTexts } from '#server/features/courses/cache.ts'
import type { Courses } from '#server/features/courses/service.ts'
import type { FirstView } from '#server/http/first-files.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { createWorkerClient } from '#server/throttle/worker-client.ts'
import { FIRST_VIEW_FOLDER } from './app-build.ts'
import type { FirstViewRequest } from './first-view-worker.ts'

/**
 * Minimum interval in ms between two renderings of a view while courses are being booked: the app updates it on the
 * client.
 */
const FRESH_MS = 5_000
/** Maximum number of cached course pages; there are only two other pages. */
const MOST_VIEWS = 300
/** Maximum wait for a view in ms: about as long as the client would take to render it. */
const PATIENCE_MS = 400

/** Renders first views (server-side rendering) in a worker thread, using the built app. */
const createRenderer = (module: string, { publicUrl, branding }: Config) =>
  createWorkerClient<FirstViewRequest, string>(
    () =>
      new Worker(new URL('./first-view-worker.ts', import.meta.url), {
        workerData: { module, publicUrl, branding: appBrandingOf(branding) },
      }),
  )

/**
 * Splits the markup of a view: React emits preload links of pictures before the markup, and these belong in the head.
 */
function partsOf(markup: string): Pick<FirstView, 'links' | 'markup'> {
  const links = /^(?:<link [^>]*>)*/.exec(markup)?.[0] ?? ''
  return { links: links.replace(/<link [^>]*href="\/icons[^>]*>/g, ''), markup: markup.slice(links.length) }
}

/**
 * Rendered view in the cache.
 * @param from revision of the programme that it was rendered from
 */
type Made = { view: Promise<FirstView | null>; isThere: boolean; from: unknown; madeAt: number }

/**
 * Creates the first views by path, which are rendered again at most every few seconds.
 * @param dist the built app
 * @returns null if there is no view or rendering takes too long
 */
export async function createFirstViews(dist: string, { config, log }: ServerContext, courses: Courses) {
  const module = join(dist, FIRST_VIEW_FOLDER, 'first-view.js')
  // The app may have been built without server-side rendering, as in tests.
  if (!(await stat(module).catch(() => null))) return async () => null
  const render = createRenderer(pathToFileURL(module).href, config)
  const kept = new Map<string, Made>()

  async function make(screen: string, address: string, data: unknown): Promise<FirstView | null> {
    try {
      return { screen, ...partsOf(await render({ screen, address, data })) }
    } catch (error) {
      log.warn({ err: error, screen }, 'no first view')
      // After a failure, one later visitor triggers the next attempt.
      setTimeout(() => kept.delete(address), FRESH_MS).unref()
      return null
    }
  }

  function remember(screen: string, address: string, from: unknown, data: unknown) {
    const view = make(screen, address, data)
    kept.delete(address)
    const made: Made = { view, isThere: false, from, madeAt: performance.now() }
    void view.then(() => {
      made.isThere = true
    })
    kept.set(address, made)
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_VIEWS))) kept.delete(oldest)
    return view
  }

  const isFresh = ({ madeAt }: Made) => performance.now() - madeAt < FRESH_MS

  async function find(address: string): Promise<FirstView | null> {
    const known = kept.get(address)
    if (known && isFresh(known)) return known.view
    const { courses: from, time, indexed, find: findCourse } = await courses.snapshot()
    if (known?.from === from) return known.view
    if (address === '/courses' || address === '/home')
      return remember(address, address, from, { courses: indexed(), texts: [] })
    const id = Number(address.slice('/course-details/'.length))
    const course = findCourse(id)
    if (!course) return null
    // A view with a countdown is rendered for each request, because it has no revision that could be compared.
    const isCounting = course.facts.opensAt > time.now
    const data = { courses: indexed(id), texts: [pickTexts(course)] }
    return remember('/course-details', address, isCounting ? null : from, data)
  }

  return (path: string): Promise<FirstView | null> => {
    if (!/^\/(?:home|courses|course-details\/[1-9]\d{0,9})?$/.test(path)) return Promise.resolve(null)
    const address = path === '/' ? '/home' : path
    const known = kept.get(address)
    if (known?.isThere && isFresh(known)) return known.view
    const late = new Promise<null>(resolve => setTimeout(resolve, PATIENCE_MS, null).unref())
    // Without a first view, the client renders the page, requests the same data, and reports errors.
    return Promise.race([find(address).catch(() => null), late])
  }
}

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isPageAt, PAGE_PATHS } from '#contract/endpoints/public-pages.ts'
import { pickCourseTexts } from '#server/features/courses/cache.ts'
import type { CourseService } from '#server/features/courses/service.ts'
import { toAppBranding } from '#server/platform/branding/files.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { FirstView } from '#server/platform/http/first-files.ts'
import { createWorkerThreadRunner } from '#server/platform/process/thread-jobs.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { FIRST_VIEW_FOLDER } from './app-build.ts'
import type { FirstViewRequest } from './first-view-worker.ts'

/**
 * Minimum interval in ms between two renderings of a view while bookings are coming in. The app updates the page on the
 * client.
 */
const FRESH_MS = 5_000
/** Maximum number of cached views. All but two of them are course pages. */
const MOST_VIEWS = 300
/** Maximum time in ms to wait for a new view while an older one can be sent instead. */
const PATIENCE_MS = 100
/** Maximum time in ms to wait for a view without an older one: a cold phone needs longer to render the page itself. */
const LONG_PATIENCE_MS = 2_000
/** Maximum time in ms by which the views of the entry pages delay the start. */
const START_PATIENCE_MS = 5_000
const ENTRY_PAGES = ['/home', '/courses']

/** Pages that are rendered with the programme. All others are placeholders until the app loads. */
const PROGRAMME = /^\/(?:home|courses|course-details\/[1-9]\d{0,9})?$/
const NO_COURSES = { courses: [], texts: [] }
/** Pages without the usual header, which have no placeholder. */
const BARE = /^\/course-participation\//

const PLACEHOLDER = 'placeholder of '

/** Cache key of a page's placeholder, which is the same for all its parameters and queries; null if it has none. */
const placeholderOf = (path: string): string | null => {
  const page = PAGE_PATHS.find(known => !BARE.test(known) && isPageAt(known, path))
  return page ? PLACEHOLDER + page.replace(/:\w+/g, '1') : null
}

/** Creates a renderer for first views (server-rendered HTML). It runs the built app in a worker thread. */
const createRenderer = (module: string, { publicUrl, branding }: Config) =>
  createWorkerThreadRunner<FirstViewRequest, string>(
    () =>
      new Worker(new URL('./first-view-worker.ts', import.meta.url), {
        workerData: { module, publicUrl, branding: toAppBranding(branding) },
      }),
  )

/**
 * Separates a view's preload links from its markup. React emits these links before the markup, but they belong in the
 * head.
 */
function partsOf(markup: string): Pick<FirstView, 'links' | 'markup'> {
  const links = /^(?:<link [^>]*>)*/.exec(markup)?.[0] ?? ''
  return { links: links.replace(/<link [^>]*href="\/icons[^>]*>/g, ''), markup: markup.slice(links.length) }
}

/**
 * Rendered view in the cache. `last`: the newest one that is complete, sent while `view` is still being rendered; `from`:
 * revision of the programme from which it was rendered.
 */
type Made = {
  view: Promise<FirstView | null>
  last: FirstView | null
  isThere: boolean
  from: unknown
  madeAt: number
}

/**
 * Creates a function that returns the server-rendered HTML (first view) of a path. Each view is rendered at most once
 * every few seconds; those of the entry pages are there when it resolves.
 * @param dist the built app
 * @returns function that resolves to null if the path has no first view or rendering takes too long
 */
export async function createFirstViews(dist: string, { config, log }: ServerContext, courses: CourseService) {
  const module = join(dist, FIRST_VIEW_FOLDER, 'first-view.js')
  // The app may have been built without code for server-side rendering, as in tests.
  if (!(await stat(module).catch(() => null))) return async () => null
  const render = createRenderer(pathToFileURL(module).href, config)
  const kept = new Map<string, Made>()

  async function make(screen: string, address: string, data: unknown): Promise<FirstView | null> {
    try {
      return { screen, ...partsOf(await render({ screen, address: address.replace(PLACEHOLDER, ''), data })) }
    } catch (error) {
      log.warn({ err: error, screen }, 'no first view')
      // After a failure, the next request after this time triggers another attempt.
      setTimeout(() => kept.delete(address), FRESH_MS).unref()
      return null
    }
  }

  function remember(screen: string, address: string, from: unknown, data: unknown) {
    const view = make(screen, address, data)
    const last = kept.get(address)?.last ?? null
    kept.delete(address)
    const made: Made = { view, last, isThere: false, from, madeAt: performance.now() }
    void view.then(rendered => {
      made.isThere = true
      made.last = rendered
    })
    kept.set(address, made)
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_VIEWS))) kept.delete(oldest)
    return view
  }

  const isFresh = ({ madeAt }: Made) => performance.now() - madeAt < FRESH_MS

  async function find(address: string): Promise<FirstView | null> {
    const known = kept.get(address)
    if (known && isFresh(known)) return known.view
    if (address.startsWith(PLACEHOLDER)) return known?.view ?? remember('/page', address, null, NO_COURSES)
    const { courses: from, time, indexed, find: findCourse } = await courses.snapshot()
    if (known?.from === from) return known.view
    if (address === '/courses' || address === '/home')
      return remember(address, address, from, { courses: indexed(), texts: [] })
    const id = Number(address.slice('/course-details/'.length))
    const course = findCourse(id)
    if (!course) return null
    // A page with a countdown to the start of booking is rendered again after a few seconds even if the programme is
    // unchanged, so it is cached without the programme's revision.
    const isCounting = course.facts.opensAt > time.now
    const data = { courses: indexed(id), texts: [pickCourseTexts(course)] }
    return remember('/course-details', address, isCounting ? null : from, data)
  }

  /** Resolves to the last complete view after some time. */
  const after = (ms: number, address: string) =>
    new Promise<FirstView | null>(resolve => setTimeout(() => resolve(kept.get(address)?.last ?? null), ms).unref())

  // Otherwise the first phones after a start would render the page themselves, while the machine is at its busiest.
  // Errors are reported by the requests that follow.
  const entries = Promise.allSettled(ENTRY_PAGES.map(find))
  await Promise.race([entries, sleep(START_PATIENCE_MS, undefined, { ref: false })])

  return (path: string, hasQuery = false): Promise<FirstView | null> => {
    const address = PROGRAMME.test(path) && !hasQuery ? path.replace(/^\/$/, '/home') : placeholderOf(path)
    if (!address) return Promise.resolve(null)
    const known = kept.get(address)
    if (known?.isThere && isFresh(known)) return known.view
    const late = after(known?.last ? PATIENCE_MS : LONG_PATIENCE_MS, address)
    // Without a view, the client requests the course data, renders the page, and reports errors.
    return Promise.race([find(address).catch(() => null), late])
  }
}

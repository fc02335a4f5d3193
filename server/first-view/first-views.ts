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
import { createWorkerClient } from '#server/throttle/limits-worker.ts'
import { FIRST_VIEW_FOLDER } from './app-build.ts'
import type { FirstViewRequest } from './first-view-worker.ts'

/** While courses are booked, a view is made anew this often at most: the app itself shows the present moment later. */
const FRESH_MS = 5_000
/** Pages of courses kept; of others there are two. */
const MOST_VIEWS = 300
/** A page waits no longer for its view than it would take without one. */
const PATIENCE_MS = 400

/** Makes first views on a thread of its own, from the files of the app as the build has prepared them for it. */
const createRenderer = (module: string, { publicUrl, branding }: Config) =>
  createWorkerClient<FirstViewRequest, string>(
    () =>
      new Worker(new URL('./first-view-worker.ts', import.meta.url), {
        workerData: { module, publicUrl, branding: appBrandingOf(branding) },
      }),
  )

/** React asks for the pictures in front of all it makes: they belong into the head. */
function partsOf(markup: string): Pick<FirstView, 'links' | 'markup'> {
  const links = /^(?:<link [^>]*>)*/.exec(markup)?.[0] ?? ''
  return { links: links.replace(/<link [^>]*href="\/icons[^>]*>/g, ''), markup: markup.slice(links.length) }
}

/** @param from the state of the programme it was made from */
type Made = { view: Promise<FirstView | null>; isThere: boolean; from: unknown; madeAt: number }

/**
 * First views by address, made anew at most every few seconds.
 * @param dist the built app @returns null where there is none, or not in time
 */
export async function createFirstViews(dist: string, { config, log }: ServerContext, courses: Courses) {
  const module = join(dist, FIRST_VIEW_FOLDER, 'first-view.js')
  // The app may be built without it, as in tests.
  if (!(await stat(module).catch(() => null))) return async () => null
  const render = createRenderer(pathToFileURL(module).href, config)
  const kept = new Map<string, Made>()

  async function make(screen: string, address: string, data: unknown): Promise<FirstView | null> {
    try {
      return { screen, ...partsOf(await render({ screen, address, data })) }
    } catch (error) {
      log.warn({ err: error, screen }, 'no first view')
      // The next visitor's is tried again, but not each of a rush.
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
    // A countdown is not to be kept: without a state to compare, the next one is made anew.
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
    // Without it the page is the app’s alone, which asks for the same data and says what is wrong.
    return Promise.race([find(address).catch(() => null), late])
  }
}
